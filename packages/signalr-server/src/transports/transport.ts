/** What carries frames to a client. What comes from the client is handed to its connection. */

export type TransportName = 'WebSockets' | 'ServerSentEvents' | 'LongPolling'

export interface Transport {
  readonly name: TransportName
  /** True when frames of bytes may be sent, not only texts. */
  readonly carriesBytes: boolean
  /** Never splits a frame. */
  write(frame: Buffer, binary: boolean): void
  /** Bytes that the client has not taken yet. */
  waiting(): number
  /** A frame of the client has begun and takes too long to end. */
  isLate?(now: number): boolean
  /** Lets what is written go out, then ends. */
  end(): void
  /** Ends at once. */
  destroy(): void
}
