/** Sends frames to a client, and passes received data to its connection. */

export type TransportName = 'WebSockets' | 'ServerSentEvents' | 'LongPolling'

export interface Transport {
  readonly name: TransportName
  /** True if the transport supports binary frames. */
  readonly supportsBinary: boolean
  /** Never splits a frame. */
  write(frame: Buffer, binary: boolean): void
  /** Bytes that the client has not read yet. */
  bufferedBytes(): number
  /** Returns true if the client began a frame too long ago and hasn't finished it. */
  isStalled?(now: number): boolean
  /** Sends the queued output, then ends. */
  end(): void
  /** Ends immediately. */
  destroy(): void
}
