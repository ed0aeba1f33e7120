import { statfsSync } from 'node:fs'

/** The embedded server can't be used; the message is a sentence for who starts the program. */
export class EmbeddedFailure extends Error {
  override name = 'EmbeddedFailure'
}

/** Bytes: with less left nothing can be begun, and the reason may not even have reached the log. */
const NO_ROOM = 16 * 1024 * 1024

/** Of many lines of a program of PostgreSQL the one that says why; `folder`: where it wanted to write. */
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
