import { statfsSync } from 'node:fs'

/** The embedded server can't be used. The message is a sentence for the operator. */
export class EmbeddedFailure extends Error {
  override name = 'EmbeddedFailure'
}

/** Bytes: with less space nothing can start, and the reason may not even have reached the log. */
const NO_ROOM = 16 * 1024 * 1024

/**
 * Picks the line that gives the reason from the output of a PostgreSQL program; `folder` is where it tried to
 * write.
 */
export function reasonIn(output: string, folder: string): string {
  const lines = output.trim().split('\n')
  const reasons = lines.flatMap((line) => /\b(?:PANIC|FATAL|error): +(.*)$/.exec(line)?.[1] ?? [])
  const reason = (reasons.at(-1) ?? lines.at(-1) ?? '').trim()
  if (!/No space left on device/.test(output) && !hasNoRoom(folder))
    return reason === '' ? 'it said nothing.' : `${reason}.`
  return `the disk of ${folder} is full. Free some space there, or set DATA_DIR to a folder on another disk.`
}

function hasNoRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < NO_ROOM
  } catch {
    return false
  }
}
