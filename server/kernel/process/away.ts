/** Recognizes errors that mean that a server is unavailable or too busy for now. */

/** Socket errors of a server that is unavailable for now. */
const SOCKET_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'S3_AWAY', // Our own code for the file storage (platform/files/s3/failure.ts)
]
/** SQLSTATEs that mean that PostgreSQL is unavailable or too busy for this statement; a retry may succeed. */
const POSTGRES_CODES = [
  '08P01', // a pooler has no server
  '25006', // read_only_sql_transaction: the server became a standby, and the next connection reaches the primary
  '25P03', // idle_in_transaction_session_timeout
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '55P03', // lock_not_available
  '57014', // query_canceled: statement_timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05',
]
const AWAY = new Set([...SOCKET_CODES, ...POSTGRES_CODES])
/** Classes of SQLSTATEs: connection failures, insufficient resources, system errors. */
const AWAY_CLASSES = /^(?:08|53|58)\w{3}$/
/** node-postgres gives these errors only a message. */
const DRIVER_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|timeout expired/

/** Returns the code of a system error, of PostgreSQL or of our own. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}

/** Returns true when the server is unavailable or busy, and a retry may succeed. */
export function isAway(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== undefined && (AWAY.has(code) || AWAY_CLASSES.test(code))) return true
  // The embedded server's socket is a file. Any other missing file is a bug, not an outage.
  if (code === 'ENOENT')
    return error instanceof Error && 'syscall' in error && error.syscall === 'connect'
  return error instanceof Error && DRIVER_MESSAGES.test(error.message)
}
