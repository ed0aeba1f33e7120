/**
 * An archive is a tar of a manifest, the keys, the tables in parts, the waiting jobs, the files, and an ending
 * with counts. After every 2,000 entries comes a list of their SHA-256, and the ending has the hash of all lists,
 * so one pass detects an archive that is cut, altered or of another product.
 */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { isKey } from '#server/platform/core/storage.ts'

/** Its message says what is wrong and what to do; nothing was changed. */
export class BackupError extends Error {}

/** Raise it when older versions can't read what this one writes. */
export const FORMAT = 1
/** Bytes of a part of a table before compression. A part ends at a row, so a long row makes it longer. */
export const PART_BYTES = 4 * 1024 * 1024
/** Maximum bytes of anything except a file, compressed or not; our archives have nothing larger. */
export const LARGEST_PART = 64 * 1024 * 1024
/** Entries per list of checksums. */
export const LISTED = 2000

export const MANIFEST = 'manifest.json'
export const END = 'end.json'
export const AUTH_SECRET = 'keys/auth-secret'
/** The name of the queue among the tables: its jobs are added again by the queue's own function. */
export const QUEUE = 'queue'

const Name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)

export const Manifest = z.object({
  product: z.literal('knowledge-bazaar'),
  format: z.number(),
  /** The product's version, for people. */
  version: z.string(),
  /** server_version_num of the source's PostgreSQL. */
  postgres: z.number(),
  madeAt: z.iso.datetime(),
  /** Names of the migrations of its database. */
  migrations: z.array(z.string().max(200)).min(1),
  tables: z.array(z.object({ name: Name, columns: z.array(Name).min(1) })),
})
export type Manifest = z.infer<typeof Manifest>

export const Ending = z.object({
  entries: z.number(),
  /** All files together. */
  files: z.number(),
  fileBytes: z.number(),
  /** Rows by table. */
  rows: z.record(z.string(), z.number()),
  /** Sequences with their last value; null if there is none yet. */
  sequences: z.array(z.object({ name: Name, last: z.number().nullable() })),
  /** SHA-256 of the lines of all entries before. */
  sums: z.string(),
})
export type Ending = z.infer<typeof Ending>

export type Kind =
  | { readonly kind: 'manifest' | 'end' | 'sums' | 'key' }
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'file'; readonly key: string }

/** `part` counts from 1. */
export function partName(table: string, part: number): string {
  return `tables/${table}/${String(part).padStart(6, '0')}.zst`
}

/** Reads the name of an entry. @throws BackupError for a name that our archives don't have */
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

export function foreign(): BackupError {
  return new BackupError(
    'This is no backup of Knowledge Bazaar. Name a file that npm run backup has written. Nothing was changed.',
  )
}

export function damaged(where: string): BackupError {
  return new BackupError(
    `This backup is damaged: ${where}. Take another copy of it, or an older backup. Nothing was changed.`,
  )
}

/** Checksums of each entry, and of all together, which reveal a missing one. */
export interface Sums {
  note(name: string, size: number, sha256: string): void
  /** Number of entries since the last list. */
  readonly pending: number
  /** Returns the list of these entries and starts a new one. */
  takeList(): string
  /** Returns the SHA-256 of all lines so far. */
  total(): string
}

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

/** Writes the ending with its own checksum. */
export function sealEnding(ending: Ending): string {
  const text = JSON.stringify(ending)
  return JSON.stringify({ ending: text, sha256: sha256(text) })
}

const Sealed = z.object({ ending: z.string(), sha256: z.string() })

/** Reads what `sealEnding` wrote; null when it was altered. */
export function openEnding(text: string): Ending | null {
  const sealed = Sealed.safeParse(parseJson(text)).data
  if (sealed === undefined || sha256(sealed.ending) !== sealed.sha256) return null
  return Ending.safeParse(parseJson(sealed.ending)).data ?? null
}

/** Returns null for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
