/** Structured logs without secrets: no query strings, headers or bodies. */
import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger
/** `json` is for programs that collect logs, `text` for a person at a terminal. */
export type LogFormat = 'json' | 'text'

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

/** Returns undefined for the format that pino writes itself. */
export function logDestination(format: LogFormat): DestinationStream | undefined {
  if (format === 'json') return undefined
  return { write: (line) => void process.stdout.write(`${toText(line)}\n`) }
}

/** Turns a JSON line into one that people read: time, level, message, the other fields, and a stack below. */
export function toText(line: string): string {
  const fields = JSON.parse(line) as Record<string, unknown>
  const { level, time, msg, err, ...others } = fields
  const { stack, message } = Object(err) as { stack?: string; message?: string }
  const rest = Object.entries(others).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const words = [
    String(time).slice(11, 19),
    (pino.levels.labels[Number(level)] ?? String(level)).padEnd(5),
    typeof msg === 'string' ? msg : (message ?? ''),
    ...rest,
  ]
  return [words.join(' '), ...(stack === undefined ? [] : [stack])].join('\n')
}
