/**
 * What an archive is: a tar of a manifest, the keys, the tables in parts, the jobs that wait, the files, and at the
 * end what was counted. After every 2,000 entries comes a list of their SHA-256, and the end holds that of all lists
 * together, so that an archive which is cut, altered or another's is known by reading it once.
 */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { isKey } from '#server/files/storage.ts'

/** Thrown with a sentence that says what is wrong and what to do; nothing was changed then. */
export class BackupError extends Error {}

/** Raised when an older version could not read what this one writes. */
export const FORMAT = 1
/** Bytes of a part of a table before it is packed; a part ends with a row, so a long row makes it longer. */
export const PART_BYTES = 4 * 1024 * 1024
/** Bytes that anything but a file may take, packed or not: more is no archive of ours. */
export const LARGEST_PART = 64 * 1024 * 1024
/** Entries of one list of sums. */
export const LISTED = 2000

export const MANIFEST = 'manifest.json'
export const END = 'end.json'
export const AUTH_SECRET = 'keys/auth-secret'
/** What stands for the queue where tables are named: its jobs are put in anew, by the queue's own function. */
export const QUEUE = 'queue'

const Name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)

export const Manifest = z.object({
  product: z.literal('knowledge-bazaar'),
  format: z.number(),
  /** Of the product, for people. */
  version: z.string(),
  /** server_version_num of the PostgreSQL that it comes from. */
  postgres: z.number(),
  madeAt: z.iso.datetime(),
  /** Names of the migrations that its database had. */
  migrations: z.array(z.string().max(200)).min(1),
  tables: z.array(z.object({ name: Name, columns: z.array(Name).min(1) })),
})
export type Manifest = z.infer<typeof Manifest>

export const Ending = z.object({
  entries: z.number(),
  /** Of all files. */
  files: z.number(),
  fileBytes: z.number(),
  /** Rows by table. */
  rows: z.record(z.string(), z.number()),
  /** Sequences with the number that each drew last; null: none. */
  sequences: z.array(z.object({ name: Name, last: z.number().nullable() })),
  /** SHA-256 of the lines of all entries before. */
  sums: z.string(),
})
export type Ending = z.infer<typeof Ending>

/** What an entry of an archive holds, by its name. */
export type Kind =
  | { readonly kind: 'manifest' | 'end' | 'sums' | 'key' }
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'file'; readonly key: string }

/** The name of a part of a table, from 1. */
export function partName(table: string, part: number): string {
  return `tables/${table}/${String(part).padStart(6, '0')}.zst`
}

/** Reads the name of an entry. @throws BackupError for one that no archive of ours has */
export function kindOf(name: string): Kind {
  if (name === MANIFEST) return { kind: 'manifest' }
  if (name === END) return { kind: 'end' }
  if (name === AUTH_SECRET) return { kind: 'key' }
  if (/^sums\/\d+$/.test(name)) return { kind: 'sums' }
  const table = /^tables\/([a-z_][a-z0-9_]*)\/\d+\.zst$/.exec(name)?.[1]
  if (table !== undefined) return { kind: 'table', table }
  const key = /^files\/((?:pictures|resources)\/.+)$/.exec(name)?.[1]
  if (key !== undefined && isKey(key)) return { kind: 'file', key }
  throw foreign()
}

/** Said of what is no archive of ours. */
export function foreign(): BackupError {
  return new BackupError(
    'This is no backup of Knowledge Bazaar. Name a file that npm run backup has written. Nothing was changed.',
  )
}

/** Said of an archive that is not as it was written; `where` names the place. */
export function damaged(where: string): BackupError {
  return new BackupError(
    `This backup is damaged: ${where}. Take another copy of it, or an older backup. Nothing was changed.`,
  )
}

/** What says of each entry what it was, and of all together whether one is missing. */
export interface Sums {
  /** Notes an entry. */
  note(name: string, size: number, sha256: string): void
  /** How many entries were noted since the last list. */
  readonly pending: number
  /** The list of these, which begins anew. */
  takeList(): string
  /** SHA-256 of all lines so far. */
  total(): string
}

/** Begins with no entry. */
export function createSums(): Sums {
  const all = createHash('sha256')
  let lines: string[] = []
  return {
    note: (name, size, sha256) => {
      const line = `${sha256} ${size} ${name}\n`
      all.update(line)
      lines.push(line)
    },
    get pending() {
      return lines.length
    },
    takeList: () => {
      const list = lines.join('')
      lines = []
      return list
    },
    total: () => all.copy().digest('hex'),
  }
}

/** The end as it is written: it holds its own sum. */
export function sealEnding(ending: Ending): string {
  const text = JSON.stringify(ending)
  return JSON.stringify({ ending: text, sha256: sha256(text) })
}

const Sealed = z.object({ ending: z.string(), sha256: z.string() })

/** Opens what `sealEnding` made; null when it was altered. */
export function openEnding(text: string): Ending | null {
  const sealed = Sealed.safeParse(parseJson(text)).data
  if (sealed === undefined || sha256(sealed.ending) !== sealed.sha256) return null
  return Ending.safeParse(parseJson(sealed.ending)).data ?? null
}

/** What JSON holds; null for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
