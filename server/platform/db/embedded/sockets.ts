/**
 * The directory of the server's socket: short, private, in the temporary directory, and removed with the server.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isAlive } from '#server/platform/db/embedded/lock.ts'
import { processIdentity } from '#server/platform/db/embedded/process.ts'

const PREFIX = 'bazaar-sockets-'
/** The name of the file that identifies the process which created the directory. */
const OWNER = 'owner'
/** In ms. A younger directory without an owner is still being created. */
const YOUNG_MS = 60_000

export function isSocketDir(path: string): boolean {
  return basename(path).startsWith(PREFIX)
}

/**
 * Creates a directory, and removes those of servers that ended together with their watchdog (after a power
 * failure, or in a container that was killed), because nothing else does.
 */
export function makeSocketDir(parent: string): string {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name)
    try {
      if (name.startsWith(PREFIX) && isAbandoned(path)) rmSync(path, { recursive: true })
    } catch {
      // It belongs to another user, or was removed meanwhile.
    }
  }
  const path = mkdtempSync(join(parent, PREFIX))
  writeFileSync(join(path, OWNER), processIdentity(process.pid) ?? '')
  return path
}

/** Returns true when neither its creator nor a server that listens in it is running. */
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
