/** Sends frames to a client, and passes received data to its connection. */

export type TransportName = 'WebSockets' | 'ServerSentEvents' | 'LongPolling'

export interface Transport {
  readonly name: TransportName
  /** True if the transport supports binary frames. */
  readonly carriesBytes: boolean
  /** Never splits a frame. */
  write(frame: Buffer, binary: boolean): void
  /** Bytes that the client has not consumed yet. */
  waiting(): number
  /** Returns true if an incomplete frame of the client takes too long. */
  isLate?(now: number): boolean
  /** Sends the queued output, then ends. */
  end(): void
  /** Ends immediately. */
  destroy(): void
}
