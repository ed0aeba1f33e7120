/** Files of forms are on disk while they are checked, because many of them together would fill the memory. */
import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { freePiece } from '#server/kernel/http/pieces.ts'
import { hasDied } from '#server/kernel/process/running.ts'

/** Its bytes are read from `path` on demand, until the form is discarded. */
export class FormFile extends File {
  readonly path: string

  constructor(content: Blob, name: string, type: string, path: string) {
    super([content], name, { type })
    this.path = path
  }
}

export interface FormFiles {
  /** Writes the stream to a new file. If the stream fails, rethrows its error and leaves no file. */
  store(content: AsyncIterable<Buffer>, name: string, type: string): Promise<FormFile>
  /** Doesn't throw if the file is already gone. */
  remove(file: FormFile): Promise<void>
}

const A_DAY_MS = 24 * 60 * 60 * 1000
const HERE = hostname().replaceAll(/[^\w-]/g, '-')
/** Names contain the host and the process, because several processes may share a folder. */
const NAME = /^([\w-]+)\.(\d+)\.[0-9a-f-]{36}$/

/** Creates `folder` and removes the files that dead processes left in it. */
export async function createFormFiles(folder: string): Promise<FormFiles> {
  await mkdir(folder, { recursive: true })
  await clearLeftOvers(folder)
  return {
    store: async (content, name, type) => {
      const path = join(folder, `${HERE}.${process.pid}.${randomUUID()}`)
      try {
        await write(path, content)
        return new FormFile(await openAsBlob(path), name, type, path)
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
    },
    remove: ({ path }) => rm(path, { force: true }),
  }
}

async function write(path: string, content: AsyncIterable<Buffer>): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const piece of content) {
      await handle.writeFile(piece)
      freePiece(piece)
    }
  } finally {
    await handle.close()
  }
}

async function clearLeftOvers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, host, pid] = NAME.exec(name) ?? []
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    const isOld = mtimeMs < Date.now() - A_DAY_MS
    const isOfTheDead = host === HERE && hasDied(Number(pid), mtimeMs)
    if (isOld || isOfTheDead) await rm(path, { force: true, recursive: true })
  }
}
