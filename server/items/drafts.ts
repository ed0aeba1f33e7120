/** Drafts: a form's create that comes twice makes one item. */
import { sql } from 'kysely'
import type { ItemKind, RewardCheck } from '#contract/points.ts'
import type { Db, DbOrTx, Tx } from '#server/db/connect.ts'
import { lock, lockName } from '#server/db/locks.ts'
import { TABLES } from '#server/items/tables.ts'
import { jobKind, NoPayload } from '#server/jobs/job.ts'
import type { Clock } from '#server/kernel/clock.ts'

/** What the first create answered. */
export interface PublishedItem extends RewardCheck {
  readonly id: number
}

/** A form, as its person's browser named it. */
interface Draft {
  readonly ownerId: string
  /** Undefined: the caller sends none, and each call publishes. */
  readonly draftId: string | undefined
}
type DraftKey = Draft & { readonly draftId: string }

/** What of a create is done before its transaction (a picture is stored), and answers what is done within. */
type Prepare = () => Promise<(tx: Tx) => Promise<PublishedItem>>

/**
 * Publishes what a form sends, once, in one transaction. A draft that comes again answers its first result, also
 * when the two come at the same moment: they take turns. Throws what `prepare` and its publication throw.
 */
export async function publishOnce(
  db: Db,
  kind: ItemKind,
  { ownerId, draftId }: Draft,
  prepare: Prepare,
): Promise<{ readonly published: PublishedItem; readonly isNew: boolean }> {
  const key = draftId === undefined ? null : { ownerId, draftId }
  const before = key === null ? null : await findPublished(db, kind, key)
  if (before !== null) return { published: before, isNew: false }
  const publish = await prepare()
  return db.transaction().execute(async (tx) => {
    if (key === null) return { published: await publish(tx), isNew: true }
    // Creates with one draft take turns until their transactions end.
    await lock(tx, lockName.draft(key.ownerId, key.draftId))
    const meanwhile = await findPublished(tx, kind, key)
    if (meanwhile !== null) return { published: meanwhile, isNew: false }
    const published = await publish(tx)
    await insertPublished(tx, kind, key, published)
    return { published, isNew: true }
  })
}

async function findPublished(
  db: DbOrTx,
  kind: ItemKind,
  { ownerId, draftId }: DraftKey,
): Promise<PublishedItem | null> {
  const { drafts, id } = TABLES[kind]
  const { rows } = await sql<PublishedItem>`
    select ${sql.ref(id)} as id, rewarded, reward_reason as "rewardReason"
    from ${sql.table(drafts)} where owner_id = ${ownerId} and draft_id = ${draftId}`.execute(db)
  return rows[0] ?? null
}

async function insertPublished(
  tx: Tx,
  kind: ItemKind,
  { ownerId, draftId }: DraftKey,
  { id, rewarded, rewardReason }: PublishedItem,
): Promise<void> {
  const { drafts, id: item } = TABLES[kind]
  await sql`
    insert into ${sql.table(drafts)} (owner_id, draft_id, ${sql.ref(item)}, rewarded, reward_reason)
    values (${ownerId}, ${draftId}, ${id}, ${rewarded}, ${rewardReason})`.execute(tx)
}

/** Runs every minute. */
export const CLEAR_DRAFTS = jobKind('clearDrafts', NoPayload)

/**
 * A create may be repeated for so long: a browser holds the text of a form whose answer was lost until its person comes
 * back. Somebody who sends it later publishes it once more, and sees both.
 */
const REPEATED_DAYS = 365
const DAY_MS = 24 * 60 * 60 * 1000
/** Of each kind at a time; the others have their turn a minute later. */
const MOST_CLEARED = 1000

/** Deletes what forms published so long ago that no create is repeated any more. The items stay. */
export async function clearDrafts(db: Db, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - REPEATED_DAYS * DAY_MS)
  for (const { drafts } of Object.values(TABLES))
    await sql`
      delete from ${sql.table(drafts)} where (owner_id, draft_id) in (
        select owner_id, draft_id from ${sql.table(drafts)} where created_at < ${before}
        order by created_at limit ${sql.lit(MOST_CLEARED)}
      )`.execute(db)
}

/** Deletes the drafts of a person whose account is erased. */
export async function deleteDrafts(db: DbOrTx, kind: ItemKind, ownerId: string): Promise<void> {
  await sql`delete from ${sql.table(TABLES[kind].drafts)} where owner_id = ${ownerId}`.execute(db)
}
