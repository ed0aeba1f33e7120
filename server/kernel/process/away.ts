/** Errors that mean that a server is away, or too busy for now. */

/** Codes of sockets that mean: the other side is away for now. */
const CUT = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'S3_AWAY', // ours, for the files (files/s3/failure.ts)
]
/** Codes of PostgreSQL that mean: it is away, or too busy for this statement; the same may work in a moment. */
const BUSY = [
  '08P01', // what a pooler says when it has no server
  '25006', // a server that follows another one now: the next connection reaches that
  '25P03', // a transaction in which too long nothing was said
  '40001', // it met another transaction
  '40P01', // each waited for the other
  '55P03', // waited too long for a lock
  '57014', // took too long
  '57P01', // shut down by an administrator
  '57P02', // another connection crashed
  '57P03', // starting, stopping or recovering
  '57P05',
]
const AWAY = new Set([...CUT, ...BUSY])
/** Classes of codes: the connection failed; no room for connections, memory or on the disk; the system below failed. */
const AWAY_CLASSES = /^(?:08|53|58)\w{3}$/
/** What node-postgres says in words alone. */
const LOST =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|timeout expired/

/** The code of a system error, of PostgreSQL or of ours. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}

/** True when the other side is away or busy, and the same may work in a moment. */
export function isAway(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== undefined && (AWAY.has(code) || AWAY_CLASSES.test(code))) return true
  // The socket of the embedded server is a file: one of ours that is missing is a fault and no absence.
  if (code === 'ENOENT')
    return error instanceof Error && 'syscall' in error && error.syscall === 'connect'
  return error instanceof Error && LOST.test(error.message)
}
