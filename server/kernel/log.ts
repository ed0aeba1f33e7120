/** Structured logs without secrets: no query strings, no headers, no bodies. */
import { pino, type Logger } from 'pino'

export type Log = Logger

export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    redact: {
      paths: [
        '*.password',
        '*.token',
        '*.accessToken',
        '*.authorization',
        '*.cookie',
        'authorization',
        'cookie',
      ],
      remove: true,
    },
    timestamp: pino.stdTimeFunctions.isoTime,
  })
}
