/**
 * A file system of a few megabytes in memory that tests can fill. It is mounted in its own namespace, so that it
 * needs no rights.
 */
import { execFileSync, spawn } from 'node:child_process'
import { chmod, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  /** Its path as seen by this process. */
  readonly folder: string
  readonly fill: () => Promise<void>
  /** Frees what `fill` used. */
  readonly free: () => Promise<void>
  /** Removes it with its contents. */
  readonly end: () => Promise<void>
}

const PIECE = Buffer.alloc(64 * 1024)

/** Works on Linux if unprivileged user namespaces are allowed or the tests run as root. */
export async function makeSmallDisk(megabytes: number): Promise<SmallDisk> {
  const place = await mkdtemp(join(tmpdir(), 'kb-small-disk-'))
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && echo ready && exec cat`
  const keeper = spawn('unshare', [
    '--user',
    '--map-root-user',
    '--mount',
    'sh',
    '-c',
    mount,
    place,
  ])
  await new Promise<void>((resolve, reject) => {
    keeper.stdout.once('data', () => resolve())
    keeper.once('error', reject)
    keeper.once('exit', (code) => reject(new Error(`no small disk was made: ${code}`)))
  })
  // Only the keeper process sees the mount; this path reaches it through /proc.
  const folder = `/proc/${keeper.pid ?? 0}/root${place}`
  return {
    folder,
    ...fillingOf(folder),
    end: async () => {
      const ended = new Promise((resolve) => keeper.once('exit', resolve))
      keeper.removeAllListeners('exit')
      keeper.stdin.end()
      await Promise.race([ended, new Promise((resolve) => keeper.once('close', resolve))])
      await rm(place, { recursive: true, force: true })
    },
  }
}

/** Whether this process may mount a disk that other processes see. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0

/** Mounts a small disk that other users can access too, as the embedded database needs. Requires `canMount`. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-mounted-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  await chmod(folder, 0o755)
  return {
    folder,
    ...fillingOf(folder),
    end: async () => {
      // Lazy, because a stopped database may take a moment to close its files.
      execFileSync('umount', ['--lazy', folder])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function fillingOf(folder: string): Pick<SmallDisk, 'fill' | 'free'> {
  const filler = join(folder, 'filler')
  return {
    fill: async () => {
      const file = await open(filler, 'a')
      try {
        await fillUp(file.write.bind(file))
      } finally {
        await file.close()
      }
    },
    free: () => rm(filler, { force: true }),
  }
}

/**
 * Halves the chunk size when a chunk doesn't fit and doubles it when it does, to use space that others free
 * meanwhile.
 */
async function fillUp(write: (piece: Buffer) => Promise<unknown>): Promise<void> {
  let size = PIECE.length
  while (size >= 1) {
    try {
      await write(PIECE.subarray(0, size))
      size = Math.min(2 * size, PIECE.length)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      size = Math.floor(size / 2)
    }
  }
}
