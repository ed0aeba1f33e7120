/** The folder of the server's socket: short, private, in the temporary folder, and gone with the server. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isAlive } from '#server/db/embedded/lock.ts'
import { processIdentity } from '#server/db/embedded/process.ts'

const PREFIX = 'bazaar-sockets-'
/** Names the process that made the folder. */
const OWNER = 'owner'
/** A folder without a name is being made, or is of an older version, whose watchdog removes it. */
const YOUNG_MS = 60_000

/** Whether a folder has the name of one that `makeSocketDir` makes. */
export function isSocketDir(path: string): boolean {
  return basename(path).startsWith(PREFIX)
}

/**
 * Makes one, and removes those of servers that went with their watchdog (a power cut, a container that was killed
 * whole): nobody else does.
 */
export function makeSocketDir(parent: string): string {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name)
    try {
      if (name.startsWith(PREFIX) && isAbandoned(path)) rmSync(path, { recursive: true })
    } catch {
      // Another user's, or gone meanwhile.
    }
  }
  const path = mkdtempSync(join(parent, PREFIX))
  writeFileSync(join(path, OWNER), processIdentity(process.pid) ?? '')
  return path
}

/** True when neither its maker lives nor a server that listens in it. */
function isAbandoned(path: string): boolean {
  const names = readdirSync(path)
  const lock = names.find((name) => name.endsWith('.lock'))
  if (lock !== undefined) {
    const server = Number.parseInt(readFileSync(join(path, lock), 'utf8'), 10)
    if (processIdentity(server) !== undefined) return false
  }
  if (names.includes(OWNER)) return !isAlive(readFileSync(join(path, OWNER), 'utf8'))
  return Date.now() - statSync(path).mtimeMs > YOUNG_MS
}
