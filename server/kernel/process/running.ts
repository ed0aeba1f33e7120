/** Where the server that runs on a data folder is reached, for commands beside it: it may have found its port taken. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/kernel/config.ts'

const FILE = 'address'

/** Notes it; the answer takes the note away again. */
export async function noteAddress(dataDir: string, url: string): Promise<() => Promise<void>> {
  const file = join(dataDir, FILE)
  const note = `${process.pid} ${url}\n`
  await mkdir(dataDir, { recursive: true })
  await writeFile(file, note)
  return async () => {
    // Another server on the same folder may have noted its own meanwhile.
    const found = await readFile(file, 'utf8').catch(() => '')
    if (found === note) await rm(file, { force: true })
  }
}

/** The origin that was noted; null when the process that noted it is gone. */
export async function readAddress(dataDir: string): Promise<string | null> {
  const found = await readFile(join(dataDir, FILE), 'utf8').catch(() => '')
  const [, pid, url] = /^(\d+) (https?:\/\/\S+)\n$/.exec(found) ?? []
  return url !== undefined && isRunning(Number(pid)) ? url : null
}

/**
 * The origin of the links that a process writes which does not serve: PUBLIC_URL, else where the server that runs on
 * the same data folder is reached, else PORT of this machine.
 */
export async function findPublicUrl({
  PUBLIC_URL,
  PORT,
  DATA_DIR,
}: Pick<Config, 'PUBLIC_URL' | 'PORT' | 'DATA_DIR'>): Promise<string> {
  return PUBLIC_URL ?? (await readAddress(DATA_DIR)) ?? `http://localhost:${PORT}`
}

/**
 * Whether the process of this machine that wrote a file is gone. Ours may have got the number of one that died: what is
 * older than it is the other's.
 */
export function hasDied(pid: number, mtimeMs: number): boolean {
  return pid === process.pid ? mtimeMs < performance.timeOrigin : !isRunning(pid)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is one too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
