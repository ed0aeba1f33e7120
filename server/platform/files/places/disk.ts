import { randomUUID } from 'node:crypto'
import {
  mkdir,
  open,
  opendir,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkDisk, isDiskFull } from '#server/kernel/process/disk.ts'
import { writeAt } from '#server/platform/files/places/write-at.ts'
import { PartAway } from '#server/kernel/process/health.ts'
import {
  hashOfStream,
  isKey,
  requireKey,
  requirePrefix,
  type Storage,
} from '#server/platform/core/storage.ts'

const RESOURCES = 'resources'
const UNFINISHED = 'unfinished'
/** Bytes; about as much as a picture takes. */
const TRIAL = Buffer.alloc(256 * 1024)
/** In ms. No write takes this long, so an older file was left by a crash. */
const LEFT_OVER_MS = 24 * 60 * 60 * 1000

/**
 * Stores files below `folder`, which it creates. Removes leftovers of interrupted writes once they are a day old;
 * younger ones may belong to a running upload of another process.
 */
export async function createDiskStorage(folder: string): Promise<Storage> {
  const unfinished = join(folder, UNFINISHED)
  await mkdir(unfinished, { recursive: true })
  await clearLeftOvers(unfinished)
  await mkdir(join(folder, RESOURCES), { recursive: true })

  const pathOf = (key: string) => {
    requireKey(key)
    return join(folder, key)
  }

  // The free space of the disk doesn't show a quota, so a refused write is remembered until one succeeds.
  const refused = { last: false }

  const openFile: Storage['open'] = async (key, range, pieceBytes) => {
    const handle = await openIfThere(pathOf(key))
    if (handle === null) return null
    try {
      const { size } = await handle.stat()
      const stream = handle.createReadStream({ ...range, highWaterMark: pieceBytes })
      return { stream, size }
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  return {
    place: 'files-disk',
    put: async (key, content) => {
      const path = pathOf(key)
      const temporary = join(unfinished, randomUUID())
      try {
        if (content instanceof Uint8Array) await writeFile(temporary, content, { flush: true })
        else await writeAt(temporary, content, 0)
        await moveTo(temporary, path)
        await flush(dirname(path))
      } catch (error) {
        await rm(temporary, { force: true })
        refused.last ||= isDiskFull(error)
        throw error
      }
    },
    check: () => checkRoom(folder, refused),
    open: openFile,
    remove: async (key) => {
      const path = pathOf(key)
      await rm(path, { force: true })
      // Removes the folder together with its last file. rmdir fails for a folder that isn't empty, and top-level
      // folders always stay.
      if (key.split('/').length > 2) await rmdir(dirname(path)).catch(() => undefined)
    },
    sizeOf: async (key) => {
      const found = await orNull(stat(pathOf(key)))
      return found?.isFile() === true ? found.size : null
    },
    hashOf: async (key) => {
      const found = await openFile(key)
      return found === null ? null : hashOfStream(found.stream)
    },
    list: (prefix) => {
      requirePrefix(prefix)
      return listKeys(folder, prefix)
    },
    link: async () => null,
    sweep: () => clearLeftOvers(unfinished),
    close: () => {},
    resumable: async (records) => {
      const { FlushedFileStore } = await import('#server/platform/files/places/disk-resumable.ts')
      return new FlushedFileStore(join(folder, RESOURCES), records)
    },
  }
}

/** Rejects with a PartAway while the disk is full; tests a quota by a write. */
async function checkRoom(folder: string, refused: { last: boolean }): Promise<void> {
  await checkDisk(folder)
  if (!refused.last) return
  const trial = join(folder, UNFINISHED, randomUUID())
  try {
    await writeFile(trial, TRIAL, { flush: true })
    refused.last = false
  } catch {
    throw new PartAway('is full')
  } finally {
    await rm(trial, { force: true })
  }
}

async function clearLeftOvers(unfinished: string): Promise<void> {
  const before = Date.now() - LEFT_OVER_MS
  for (const name of await readdir(unfinished)) {
    const path = join(unfinished, name)
    const found = await orNull(stat(path))
    if (found !== null && found.mtimeMs < before) await rm(path, { recursive: true, force: true })
  }
}

/** Between mkdir and rename another process may remove the folder because it is empty, so both are tried twice. */
async function moveTo(temporary: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  if ((await orNull(rename(temporary, path))) !== null) return
  await mkdir(dirname(path), { recursive: true })
  await rename(temporary, path)
}

async function* listKeys(root: string, prefix: string): AsyncGenerator<string> {
  const cut = prefix.lastIndexOf('/') + 1
  const [folder, start] = [prefix.slice(0, cut), prefix.slice(cut)]
  const entries = await orNull(opendir(join(root, folder)))
  if (entries === null) return
  for await (const entry of entries) {
    const key = `${folder}${entry.name}`
    if (!entry.name.startsWith(start) || !isKey(key)) continue
    if (entry.isDirectory()) yield* listKeys(root, `${key}/`)
    else yield key
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function openIfThere(path: string): Promise<FileHandle | null> {
  return orNull(open(path, 'r'))
}

async function orNull<Value>(found: Promise<Value>): Promise<Value | null> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
