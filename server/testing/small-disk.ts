/** A disk of a few megabytes, to be filled: a file system in memory, in a name space of its own, that anybody may make. */
import { execFileSync, spawn } from 'node:child_process'
import { chmod, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  /** Its folder, as this process reaches it. */
  readonly folder: string
  /** Leaves no byte free. */
  fill(): Promise<void>
  /** Gives back what `fill` took. */
  free(): Promise<void>
  /** It goes with all that is on it. */
  end(): Promise<void>
}

const PIECE = Buffer.alloc(64 * 1024)

/** Linux only, where unprivileged user name spaces are allowed or the tests run as root. */
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
  // The mount is seen by the keeper alone; this leads through its eyes.
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

/** Whether this process may make a disk that others see as well. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0

/** A small disk at a path of its own, which other users reach too, as the embedded database's does: where `canMount`. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-mounted-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  await chmod(folder, 0o755)
  return {
    folder,
    ...fillingOf(folder),
    end: async () => {
      // Lazily: a database that was ended may take a moment to close its files.
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

/** By pieces half as large where one does not fit, twice as large where it did: what others free meanwhile goes too. */
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
