/** Stores those files of an archive that the restored database names, several at once. */
import type pg from 'pg'
import { Readable } from 'node:stream'
import type { Content } from '#server/operate/backup/archive/read.ts'
import type { Storage } from '#server/platform/core/storage.ts'

/** As in backup.ts: small files are mostly latency. */
const SMALL = 1024 * 1024
const AT_ONCE = 8
const UPLOAD = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const PREFIXES = ['pictures/', 'resources/']

export interface FileRestore {
  readonly stored: number
  readonly leftOut: number
  /** Takes a file; small ones are stored later. @throws errors of the storage, possibly for an earlier file */
  add(file: Extract<Content, { kind: 'file' }>): Promise<void>
  /** Waits for running writes, whether they succeed or not. */
  settle(): Promise<void>
  /** Waits until all files are stored. @throws errors of the storage */
  finish(): Promise<void>
}

/** `client` belongs to the transaction that has filled the tables. */
export function createFileRestore(client: pg.Client, storage: Storage): FileRestore {
  const underWay = new Set<Promise<void>>()
  const failures: unknown[] = []
  let stored = 0
  let leftOut = 0
  // All forms of one picture follow each other, so only the last lookup is cached.
  let last: { readonly folder: string; readonly isNamed: boolean } | null = null
  const isNamed = async (key: string): Promise<boolean> => {
    const folder = key.split('/').slice(0, 2).join('/')
    if (last?.folder !== folder) last = { folder, isNamed: await findName(client, folder) }
    return last.isNamed
  }
  const throwFailure = () => {
    if (failures.length > 0) throw failures[0]
  }
  return {
    get stored() {
      return stored
    },
    get leftOut() {
      return leftOut
    },
    add: async ({ key, size, content }) => {
      throwFailure()
      if (!(await isNamed(key))) {
        leftOut += 1
        return
      }
      stored += 1
      if (size > SMALL)
        return storage.put(key, Readable.from(content, { objectMode: false, highWaterMark: SMALL }))
      const pieces: Buffer[] = []
      for await (const piece of content) pieces.push(piece)
      if (underWay.size >= AT_ONCE) await Promise.race(underWay)
      const putting = storage
        .put(key, Buffer.concat(pieces))
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underWay.delete(putting))
      underWay.add(putting)
    },
    settle: async () => {
      await Promise.all(underWay)
    },
    finish: async () => {
      await Promise.all(underWay)
      throwFailure()
    },
  }
}

async function findName(client: pg.Client, folder: string): Promise<boolean> {
  const [kind, name = ''] = folder.split('/')
  if (kind === 'resources' && !UPLOAD.test(name)) return false
  const { rows } = await client.query(
    kind === 'pictures'
      ? 'select from pictures where key = $1 limit 1'
      : 'select from uploads where id = $1',
    [name],
  )
  return rows.length > 0
}

export async function hasFiles(storage: Storage): Promise<boolean> {
  for (const prefix of PREFIXES) for await (const _ of storage.list(prefix)) return true
  return false
}

/** Removes every picture and resource, after a restore that failed. */
export async function clearFiles(storage: Storage): Promise<void> {
  for (const prefix of PREFIXES)
    for await (const key of storage.list(prefix)) await storage.remove(key)
}
