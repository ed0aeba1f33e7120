/** The only module that writes the table of drafts. Every statement except the clearing is limited to one person. */
import { sql } from 'kysely'
import { type Draft, DRAFT_DAYS, type ListedDraft, MOST_DRAFTS } from '#contract/drafts.ts'
import type { ItemKind } from '#contract/points.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { itemsOf } from '#server/items/shared/tables.ts'

export async function listDrafts(db: Db, userId: string): Promise<ListedDraft[]> {
  type Row = Omit<ListedDraft, 'savedAt' | 'item'> & {
    savedAt: Date
    itemId: number | null
    itemTitle: string | null
    gone: boolean
  }
  const { rows } = await sql<Row>`
    select d.form as key, d.version, d.saved_at as "savedAt", d.title, d.item_id as "itemId",
      coalesce(l.title, k.title) as "itemTitle",
      not exists (select from lessons i where d.kind = 'lesson' and i.id = d.item_id and i.deleted_at is null)
        and not exists (select from courses i where d.kind = 'course' and i.id = d.item_id and i.deleted_at is null)
        as gone
    from item_drafts d
    left join lesson_contents l on d.kind = 'lesson' and l.lesson_id = d.item_id
    left join course_contents k on d.kind = 'course' and k.course_id = d.item_id
    where d.user_id = ${userId} and d.content is not null
    order by d.saved_at desc, d.id desc limit ${sql.lit(MOST_DRAFTS)}`.execute(db)
  return rows.map(({ savedAt, itemId, itemTitle, gone, ...row }) => ({
    ...row,
    savedAt: savedAt.toISOString(),
    item: itemId === null ? null : { id: itemId, title: gone ? '' : (itemTitle ?? ''), gone },
  }))
}

/** The state of a key. An ended draft has no values. */
export interface StoredDraft extends Omit<Draft, 'values'> {
  readonly values: Draft['values'] | null
}

/** Returns null if the key was never used, or its draft ended more than a day ago. */
export async function findDraft(
  db: DbOrTx,
  userId: string,
  key: string,
): Promise<StoredDraft | null> {
  const { rows } = await sql<Omit<StoredDraft, 'savedAt'> & { savedAt: Date }>`
    select form as key, version, saved_at as "savedAt", content as values
    from item_drafts where user_id = ${userId} and form = ${key}`.execute(db)
  const [row] = rows
  return row === undefined ? null : { ...row, savedAt: row.savedAt.toISOString() }
}

export async function countDrafts(tx: Tx, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from item_drafts where user_id = ${userId} and content is not null`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export interface WrittenDraft {
  readonly userId: string
  readonly key: string
  readonly kind: ItemKind
  readonly itemId: number | null
  readonly version: number
  /** JSON, or null to end the draft. */
  readonly content: string | null
  readonly title: string
  readonly files: readonly string[]
  readonly at: Date
}

/** An ended draft still names its files, because it can be restored. */
export async function writeDraft(tx: Tx, draft: WrittenDraft): Promise<void> {
  const { userId, key, kind, itemId, version, content, title, files, at } = draft
  await sql`
    insert into item_drafts (user_id, form, kind, item_id, version, content, title, files, saved_at)
    values (${userId}, ${key}, ${kind}, ${itemId}, ${version}, ${content}::json, ${title}, ${files}::uuid[], ${at})
    on conflict (user_id, form) do update set
      version = excluded.version, content = excluded.content, title = excluded.title,
      files = case when excluded.content is null then item_drafts.files else excluded.files end, saved_at = excluded.saved_at`.execute(
    tx,
  )
}

/** Returns true if the JSON equals the stored content. */
export async function isSame(
  tx: Tx,
  userId: string,
  key: string,
  content: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from item_drafts where user_id = ${userId} and form = ${key} and content::text = ${content}`.execute(
    tx,
  )
  return rows.length > 0
}

/** Returns the owner of a living item, or null. */
export async function findOwner(tx: Tx, kind: ItemKind, id: number): Promise<string | null> {
  const { rows } = await sql<{ owner: string }>`
    select i.owner_id as owner from ${itemsOf(kind)} where i.id = ${id} and i.deleted_at is null`.execute(
    tx,
  )
  return rows[0]?.owner ?? null
}

export async function forgetDrafts(db: DbOrTx, userId: string): Promise<void> {
  await sql`delete from item_drafts where user_id = ${userId}`.execute(db)
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Maximum per statement; a minute later the next run deletes more. */
const MOST_CLEARED = 1000

/** Deletes drafts that were not changed for a year, and the rows of those that ended a day ago. */
export async function clearOldDrafts(db: Db, clock: Clock): Promise<void> {
  const before = (days: number) => new Date(clock.now().getTime() - days * DAY_MS)
  await sql`
    delete from item_drafts where id in (
      select id from item_drafts where saved_at < ${before(DRAFT_DAYS)} order by saved_at limit ${sql.lit(MOST_CLEARED)}
    ) or id in (
      select id from item_drafts where content is null and saved_at < ${before(1)}
      order by saved_at limit ${sql.lit(MOST_CLEARED)}
    )`.execute(db)
}
