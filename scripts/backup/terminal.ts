/** Output, questions and signals of the backup commands. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { AuditReport } from '#server/operate/audit/audit.ts'
import { BackupError } from '#server/operate/backup/archive/format.ts'
import type { Progress } from '#server/operate/backup/backup.ts'
import { SHORTEST_PASSPHRASE } from '#server/operate/backup/archive/encryption.ts'
import { EmbeddedFailure } from '#server/platform/db/embedded/failure.ts'
import { SchemaError } from '#server/platform/db/migrate.ts'
import { DatabaseError } from '#server/platform/db/settings.ts'
import { ConfigError } from '#server/kernel/settings/config-error.ts'
import { isDiskFull } from '#server/kernel/process/disk.ts'
import { sentenceOf } from '#server/kernel/process/start-failure.ts'
import { Failure } from '#scripts/status.mjs'

const SENTENCES = [BackupError, ConfigError, DatabaseError, EmbeddedFailure, SchemaError]
/** Minimum interval of progress lines in ms. */
const QUIET_MS = 2000

/** Prints a result to stdout. */
export const say = (line: string) => void process.stdout.write(`${line}\n`)

/** Returns a listener that prints progress to stderr every two seconds. */
export function createProgress(): (progress: Progress) => void {
  const began = performance.now()
  let printedAt = began
  return ({ part, bytes, files }) => {
    const now = performance.now()
    if (now - printedAt < QUIET_MS) return
    printedAt = now
    const rate = bytes / ((now - began) / 1000)
    process.stderr.write(`${part}: ${sizeOf(bytes)}, ${files} files, ${sizeOf(rate)} a second\n`)
  }
}

/** Formats a number of bytes. */
export function sizeOf(bytes: number): string {
  return bytes < 1e6
    ? `${Math.ceil(bytes / 1000)} kB`
    : bytes < 1e9
      ? `${Math.round(bytes / 1e6)} MB`
      : `${(bytes / 1e9).toFixed(1)} GB`
}

/** In ms, from the end of the parent process to the exit. */
const ORPHAN_MS = 10_000

/** Returns a signal that is aborted by Ctrl-C, SIGTERM, or the exit of the parent process. */
export function stopWhenAsked(): AbortSignal {
  const stopping = new AbortController()
  const stop = () => stopping.abort(new BackupError('Stopped: nothing was changed.'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  process.once('disconnect', () => {
    stop()
    // Nobody waits for the result any more, and what hangs must not outlive the server.
    setTimeout(() => process.exit(1), ORPHAN_MS).unref()
  })
  return stopping.signal
}

/** Asks for a passphrase without echo. @throws BackupError without a terminal */
export async function askPassphrase(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new BackupError('Set BACKUP_PASSPHRASE, or BACKUP_PASSPHRASE_FILE: nobody can be asked.')
  process.stderr.write(question)
  const silent = new Writable({ write: (_piece, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    const passphrase = await terminal.question('')
    if (passphrase.length >= SHORTEST_PASSPHRASE) return passphrase
    throw new BackupError(
      `The passphrase is too short: it needs at least ${SHORTEST_PASSPHRASE} characters.`,
    )
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}

/** Prints the result of an audit. Returns true if there are no findings. */
export function sayAudit({ findings, unproved }: AuditReport): boolean {
  for (const { rule, what, count, ids } of findings)
    say(`✗ ${what} (${rule}, ${count}: ${ids.slice(0, 5).join('; ')})`)
  for (const { rule, why } of unproved) say(`? ${rule} was not proved. ${why}.`)
  return findings.length === 0 && unproved.length === 0
}

/** Turns errors that people can act on into messages without a stack trace. */
export function toFailure(error: unknown): unknown {
  if (error instanceof Error && SENTENCES.some((kind) => error instanceof kind))
    return new Failure(error.message)
  if (isDiskFull(error))
    return new Failure('The disk is full. Make room, then begin again. Nothing was left behind.')
  const sentence = sentenceOf(error)
  return sentence === null ? error : new Failure(sentence)
}
