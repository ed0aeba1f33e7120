/**
 * Compares files with the rows that name them, in both directions. The storage lists keys in no order, so they are
 * written to a temporary table with a row per picture or resource. A statement then finds the differences, without
 * either side in memory.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { PICTURE_WIDTHS } from '#contract/files.ts'
import type { Rule } from '#server/operate/audit/rules/rule.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { pictureFolder, resourceKey } from '#server/platform/files/names.ts'
import { hasForms, isStored } from '#server/platform/files/picture-life.ts'
import { findUpload } from '#server/platform/files/resources.ts'
import type { Storage } from '#server/platform/core/storage.ts'

/** Rows per statement. */
const BATCH = 1000
/** One bit for each size that a picture must have. */
const FORMS = new Map(PICTURE_WIDTHS.map((width, place) => [`${width}.webp`, 1 << place]))
const ALL_FORMS = (1 << PICTURE_WIDTHS.length) - 1

export interface Pace {
  /** Ratio of pause to work after each batch. 0 means no pause. */
  readonly rest: number
  readonly signal: AbortSignal | undefined
  /** Called after each batch. */
  readonly hear?: (() => Promise<unknown>) | undefined
}

/**
 * Lists the storage into a temporary table of `session`, a single connection that then checks the rules below.
 * `dropListing` removes the table.
 * @throws errors of the storage, and the reason of the signal
 */
export async function listFiles(session: Db, storage: Storage, pace: Pace): Promise<void> {
  await dropListing(session)
  await sql`
    create temporary table audit_listing (kind text not null, key text not null, forms integer not null)`.execute(
    session,
  )
  let began = performance.now()
  for await (const batch of inBatches(foldFiles(storage))) {
    pace.signal?.throwIfAborted()
    await sql`
      insert into audit_listing select * from unnest(
        ${batch.map(({ kind }) => kind)}::text[], ${batch.map(({ key }) => key)}::text[],
        ${batch.map(({ forms }) => forms)}::integer[]
      )`.execute(session)
    await pace.hear?.()
    const rest = Math.min(pace.rest * (performance.now() - began), LONGEST_REST)
    if (rest > 0) await pause(rest, undefined, pace.signal && { signal: pace.signal })
    began = performance.now()
  }
  await sql`analyze audit_listing`.execute(session)
}

/** Longest pause in ms, so that callers of `hear` don't wait for hours. A signal ends a pause immediately. */
const LONGEST_REST = 60_000

export async function dropListing(session: Db): Promise<void> {
  await sql`drop table if exists pg_temp.audit_listing`.execute(session)
}

interface Listed {
  readonly kind: 'picture' | 'resource' | 'other'
  /** The folder of a picture, the id of a resource, or the key of any other file. */
  readonly key: string
  forms: number
}

/** The sizes of a picture usually follow each other, and are merged into one row. */
async function* foldFiles(storage: Storage): AsyncGenerator<Listed> {
  let picture: Listed | null = null
  for await (const file of storage.list('pictures/')) {
    const [, key = '', name = '', ...more] = file.split('/')
    const isForm = name !== '' && more.length === 0
    if (picture !== null && (!isForm || picture.key !== key)) {
      yield picture
      picture = null
    }
    if (!isForm) yield { kind: 'other', key: file, forms: 0 }
    else picture ??= { kind: 'picture', key, forms: 0 }
    if (picture !== null) picture.forms |= FORMS.get(name) ?? 0
  }
  if (picture !== null) yield picture
  for await (const file of storage.list('resources/')) {
    const [, key = '', ...more] = file.split('/')
    yield more.length === 0
      ? { kind: 'resource', key, forms: 0 }
      : { kind: 'other', key: file, forms: 0 }
  }
}

async function* inBatches<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let batch: Item[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

export interface FileRule extends Rule {
  /** Checks an id again later, because files change while the site runs. */
  readonly isStillWrong: (db: Db, storage: Storage, id: string) => Promise<boolean>
}

const nameIn = (id: string) => id.split('/')[1] ?? ''

/**
 * The rules run in the session of `listFiles`. With `isLive`, pictures stored in the last 15 minutes may still be
 * in transit.
 */
export function fileRules(isLive: boolean): FileRule[] {
  const settled = isLive ? sql`p.created_at < now() - interval '15 minutes'` : sql`true`
  return [
    {
      name: 'pictureFileMissing',
      what: 'A picture lacks its files, or some of them.',
      wrong: sql`
        select distinct 'pictures/' || p.key as id from pictures p left join (
          select key, bit_or(forms) as forms from audit_listing where kind = 'picture' group by key
        ) listed on listed.key = p.key
        where coalesce(listed.forms, 0) <> ${sql.lit(ALL_FORMS)} and ${settled}`,
      isStillWrong: async (db, storage, id) =>
        (await isStored(db, nameIn(id))) && !(await hasForms(storage, nameIn(id))),
    },
    {
      name: 'resourceFileMissing',
      what: 'An uploaded resource lacks its file.',
      wrong: sql`
        select 'resources/' || u.id as id from uploads u
        where u.finished_at is not null and not exists (
          select from audit_listing listed where listed.kind = 'resource' and listed.key = u.id::text
        )`,
      isStillWrong: async (db, storage, id) =>
        (await findUpload(db, nameIn(id)))?.finished === true &&
        (await storage.sizeOf(resourceKey(nameIn(id)))) === null,
    },
    {
      name: 'strayFile',
      what: 'A file belongs to no picture and no resource.',
      wrong: sql`
        select distinct case listed.kind when 'picture' then 'pictures/' when 'resource' then 'resources/' else '' end
          || listed.key as id
        from audit_listing listed
        where listed.kind = 'other'
          or listed.kind = 'picture' and not exists (select from pictures p where p.key = listed.key)
          or listed.kind = 'resource' and not exists (select from uploads u where u.id::text = listed.key)`,
      isStillWrong: (db, storage, id) => isStray(db, storage, id),
    },
  ]
}

async function isStray(db: Db, storage: Storage, id: string): Promise<boolean> {
  const parts = id.split('/')
  const [folder, name = ''] = parts
  if (parts.length > 2) return (await storage.sizeOf(id)) !== null
  if (folder === 'resources') {
    const isKnown = UPLOAD.test(name) && (await findUpload(db, name)) !== null
    return !isKnown && (await storage.sizeOf(id)) !== null
  }
  if (await isStored(db, name)) return false
  for await (const _ of storage.list(pictureFolder(name))) return true
  return (await storage.sizeOf(id)) !== null
}

const UPLOAD = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
