/** Structured logs without secrets: no query strings, no headers, no bodies. */
import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

/** To the standard output unless `to` says otherwise. */
export function createLog(level: string, to?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    redact: {
      paths: [
        '*.password',
        '*.token',
        '*.accessToken',
        '*.authorization',
        '*.cookie',
        // Of the database's errors: whole rows, with addresses and texts.
        '*.detail',
        '*.where',
        'authorization',
        'cookie',
      ],
      remove: true,
    },
    timestamp: pino.stdTimeFunctions.isoTime,
  }
  return to === undefined ? pino(options) : pino(options, to)
}
