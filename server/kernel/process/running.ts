/** Records where the server of a data folder listens, for commands: it may have had to take another port. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/kernel/config.ts'

const FILE = 'address'

/** Writes the address and returns a function that removes it. */
export async function noteAddress(dataDir: string, url: string): Promise<() => Promise<void>> {
  const file = join(dataDir, FILE)
  const note = `${process.pid} ${url}\n`
  await mkdir(dataDir, { recursive: true })
  await writeFile(file, note)
  return async () => {
    // Another server on the same folder may have written its own address meanwhile.
    const found = await readFile(file, 'utf8').catch(() => '')
    if (found === note) await rm(file, { force: true })
  }
}

/** Returns the recorded origin, or null when the process that recorded it has ended. */
export async function readAddress(dataDir: string): Promise<string | null> {
  const found = await readFile(join(dataDir, FILE), 'utf8').catch(() => '')
  const [, pid, url] = /^(\d+) (https?:\/\/\S+)\n$/.exec(found) ?? []
  return url !== undefined && isRunning(Number(pid)) ? url : null
}

/**
 * Returns the origin of links for processes that don't serve: PUBLIC_URL, the address of the server on the same
 * data folder, or PORT of this machine.
 */
export async function findPublicUrl({
  PUBLIC_URL,
  PORT,
  DATA_DIR,
}: Pick<Config, 'PUBLIC_URL' | 'PORT' | 'DATA_DIR'>): Promise<string> {
  return PUBLIC_URL ?? (await readAddress(DATA_DIR)) ?? `http://localhost:${PORT}`
}

/**
 * Returns true when the process that wrote a file has ended. This process may reuse the id of a dead one, so files
 * older than this process belong to the dead one.
 */
export function hasDied(pid: number, mtimeMs: number): boolean {
  return pid === process.pid ? mtimeMs < performance.timeOrigin : !isRunning(pid)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
