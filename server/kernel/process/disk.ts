/** Detects a disk that is full or read-only. Its data can still be read, so the site keeps running. */
import { access, constants, statfs } from 'node:fs/promises'
import { PartAway } from '#server/kernel/process/health.ts'

/** Codes of the file system, and of PostgreSQL for its own disk. */
export const DISK_FULL: readonly string[] = ['ENOSPC', 'EDQUOT', 'EROFS', '53100']

/** Bytes that must be free: what the database adds to its WAL at once, and more than a picture takes. */
const ROOM = 32 * 1024 * 1024
/** On a small disk, this fraction of its size is enough. */
const SHARE = 0.02

/** Returns true when a disk or a quota is full; the write may succeed later. */
export function isDiskFull(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    DISK_FULL.includes(error.code)
  )
}

/** Returns the bytes that the disk of a folder has, and those that are free, or null if it can't be read. */
export async function measureDisk(
  folder: string,
): Promise<{ readonly size: number; readonly free: number } | null> {
  try {
    const { bsize, bavail, blocks } = await statfs(folder)
    return { size: blocks * bsize, free: bavail * bsize }
  } catch {
    return null
  }
}

/** Checks the disk of a folder without writing. @throws PartAway with a message that names no path */
export async function checkDisk(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK)
  } catch {
    throw new PartAway('can not be written')
  }
  const { bsize, bavail, blocks } = await statfs(folder)
  if (bavail * bsize < Math.min(ROOM, blocks * bsize * SHARE)) throw new PartAway('is full')
}
