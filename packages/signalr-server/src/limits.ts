/** Times are in ms, sizes in bytes. */
export interface Limits {
  /** Time for the complete handshake. */
  readonly handshakeMs: number
  /** A ping is sent after this time without output. */
  readonly keepAliveMs: number
  /** A client that sends pings is considered gone after this time of silence. */
  readonly clientTimeoutMs: number
  /** Maximum size of a record. */
  readonly messageBytes: number
  /** Time from the first to the last byte of a record or frame. */
  readonly messageMs: number
  /** Records per second and client, averaged over ten seconds. The connection ends above this limit. */
  readonly messagesASecond: number
  /** Maximum size of a WebSocket frame or POST body. Small records may be combined in one. */
  readonly pieceBytes: number
  /** Time for the body of a POST once its turn has come. */
  readonly bodyMs: number
  /** Pending POSTs of one connection, which are read one after the other. */
  readonly waitingPosts: number
  /** Consecutive calls refused by `admission` before the connection ends. */
  readonly refusedCalls: number
  /** Queued invocations of one client before reading pauses. */
  readonly queuedInvocations: number
  /** Additional queue size while a client result is pending, because it arrives after the queued messages. */
  readonly queuedBytes: number
  /** Queued items of an upload before reading pauses. */
  readonly queuedItems: number
  /** Concurrent streams and methods with uploads of one client. */
  readonly openStreams: number
  /** Response timeout of a client called from outside a method, and of the node that holds a connection. */
  readonly answerMs: number
  /** Maximum size of a message to a client. */
  readonly sentBytes: number
  /** Queued output of a client. If it stays above this for `sendMs`, the client is dropped. */
  readonly outputBytes: number
  readonly sendMs: number
  /** All output queued at some time must be consumed within this time, however little it is. */
  readonly drainMs: number
  /** Hard limit of queued output, in addition to the largest message in it. */
  readonly mostOutputBytes: number
  /** An empty poll is answered after this time. */
  readonly pollMs: number
  /** A long-polling client is considered gone after this time without a poll. */
  readonly pollGapMs: number
  /** Time from negotiation to the first transport. */
  readonly attachMs: number
  /** Time for the client's response to our close. */
  readonly closeMs: number
  /** Stateful reconnect: how long a lost connection is kept. */
  readonly resumeMs: number
  /** Stateful reconnect: maximum size of unacknowledged messages. */
  readonly replayBytes: number
  readonly ackMs: number
}

export const DEFAULT_LIMITS: Limits = {
  handshakeMs: 15_000,
  keepAliveMs: 15_000,
  clientTimeoutMs: 30_000,
  messageBytes: 32 * 1024,
  messageMs: 30_000,
  messagesASecond: Number.POSITIVE_INFINITY,
  pieceBytes: 1024 * 1024,
  bodyMs: 30_000,
  waitingPosts: 32,
  refusedCalls: 100,
  queuedInvocations: 64,
  queuedBytes: 1024 * 1024,
  queuedItems: 64,
  openStreams: 100,
  answerMs: 30_000,
  sentBytes: 16 * 1024 * 1024,
  outputBytes: 64 * 1024,
  sendMs: 10_000,
  drainMs: 30_000,
  mostOutputBytes: 1024 * 1024,
  pollMs: 90_000,
  pollGapMs: 15_000,
  attachMs: 15_000,
  closeMs: 5000,
  resumeMs: 15_000,
  replayBytes: 100_000,
  ackMs: 1000,
}
