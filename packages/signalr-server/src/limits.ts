/** Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** From the first byte's chance to a whole handshake. */
  readonly handshakeMs: number
  /** Without anything sent for so long, a ping goes out. */
  readonly keepAliveMs: number
  /** A client that pings and then is silent for so long is gone. */
  readonly clientTimeoutMs: number
  /** One record. */
  readonly messageBytes: number
  /** From the first byte of a record, or of a frame, to its last. */
  readonly messageMs: number
  /** Records of one client in a second, counted over ten; above it the connection ends. */
  readonly messagesASecond: number
  /** One piece: a frame of a WebSocket, the body of a POST. Small records are merged into such. */
  readonly pieceBytes: number
  /** For the body of a POST, from its turn. */
  readonly bodyMs: number
  /** POSTs of one connection that are under way. They are read one after the other. */
  readonly waitingPosts: number
  /** Calls in a row that `admission` refuses, before the connection ends. */
  readonly refusedCalls: number
  /** Invocations of one client that wait for their turn, before no more are read. */
  readonly queuedInvocations: number
  /** What may wait beyond that while a method awaits an answer of the client, which comes behind it. */
  readonly queuedBytes: number
  /** Items of an upload that wait for the method to take them, before no more are read. */
  readonly queuedItems: number
  /** Streams, and methods with uploads, that one client may have open. */
  readonly openStreams: number
  /** For the answer of a client that is asked from outside a method, and of the node that holds a connection. */
  readonly answerMs: number
  /** One message to a client. */
  readonly sentBytes: number
  /** What a slow client may leave waiting; above it for `sendMs`, it is dropped. */
  readonly outputBytes: number
  readonly sendMs: number
  /** All that waits for a client must have been taken after so long, however little it is. */
  readonly drainMs: number
  /** What a client may leave waiting at all, beside the largest message among it. */
  readonly mostOutputBytes: number
  /** A poll that finds nothing is answered after so long. */
  readonly pollMs: number
  /** Without a poll for so long, a long-polling client is gone. */
  readonly pollGapMs: number
  /** From negotiation to the first transport. */
  readonly attachMs: number
  /** For the client's answer to our close. */
  readonly closeMs: number
  /** Stateful reconnect: how long a lost connection is held. */
  readonly resumeMs: number
  /** Stateful reconnect: messages that are not acknowledged. */
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
