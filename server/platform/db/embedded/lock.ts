import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedFailure } from '#server/platform/db/embedded/failure.ts'
import { processIdentity } from '#server/platform/db/embedded/process.ts'

const LONGEST_WAIT_MS = 60_000

/**
 * Runs the work while no other process starts or stops a server in the same directory; another `name` is another
 * lock. @throws EmbeddedFailure after a minute of waiting; errors of `work`
 */
export async function withStartLock<T>(
  dataDir: string,
  work: () => Promise<T>,
  name = 'starting.lock',
): Promise<T> {
  const path = join(dataDir, name)
  await takeLock(path)
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

async function takeLock(path: string): Promise<void> {
  const ours = processIdentity(process.pid) ?? String(process.pid)
  for (const end = Date.now() + LONGEST_WAIT_MS; ; await sleep(20)) {
    try {
      writeFileSync(path, ours, { flag: 'wx', mode: 0o644 })
      return
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    const holder = readHolder(path)
    if (holder !== undefined && !isAlive(holder)) {
      // Reads the file again after a pause: its writer may have only just created it.
      await sleep(100)
      if (readHolder(path) === holder) rmSync(path, { force: true })
    } else if (Date.now() > end) {
      throw new EmbeddedFailure(
        `Process ${holder?.split(':')[0]} has been starting in the same DATA_DIR for a minute. ` +
          `Wait for it or end it; if it is gone, remove ${path}.`,
      )
    }
  }
}

function readHolder(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Returns true while the process runs. The identity contains the start time, because process ids are reused. */
export function isAlive(identity: string): boolean {
  return processIdentity(Number.parseInt(identity, 10)) === identity
}
