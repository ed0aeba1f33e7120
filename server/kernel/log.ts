/** Structured logs without secrets: no query strings, headers or bodies. */
import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

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
        // PostgreSQL puts whole rows into these, with addresses and texts.
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
