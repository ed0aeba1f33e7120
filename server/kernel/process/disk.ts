/** A disk that takes nothing any more: full, or not writable. What is on it can still be read, so the site goes on. */
import { access, constants, statfs } from 'node:fs/promises'
import { PartAway } from '#server/kernel/process/health.ts'

/** Of the file system, and of PostgreSQL for the disk that it writes to. */
export const DISK_FULL: readonly string[] = ['ENOSPC', 'EDQUOT', 'EROFS', '53100']

/** Bytes that must be free: what the database adds to its log at once, and more than a picture takes. */
const ROOM = 32 * 1024 * 1024
/** Of a small disk, so much of it is enough. */
const SHARE = 0.02

/** Whether an error says that a disk or a quota is full; such a write may succeed later. */
export function isDiskFull(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    DISK_FULL.includes(error.code)
  )
}

/** Looks at the disk that a folder is on; writes nothing. @throws PartAway in words that name no path */
export async function checkDisk(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK)
  } catch {
    throw new PartAway('can not be written')
  }
  const { bsize, bavail, blocks } = await statfs(folder)
  if (bavail * bsize < Math.min(ROOM, blocks * bsize * SHARE)) throw new PartAway('is full')
}
