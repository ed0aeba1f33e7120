/** Makes creation idempotent: a form that is sent twice with the same draft id creates one item. */
import { sql } from 'kysely'
import type { ItemKind, RewardCheck } from '#contract/points.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import { TABLES } from '#server/items/shared/tables.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import type { Clock } from '#server/kernel/clock.ts'

/** The response of the first request. */
export interface PublishedItem extends Omit<RewardCheck, 'older'> {
  readonly id: number
}

interface Draft {
  readonly ownerId: string
  /** Undefined when the caller sends none; each request then creates an item. */
  readonly draftId: string | undefined
}
type DraftKey = Draft & { readonly draftId: string }

/** Does what must happen before the transaction, such as storing a picture, and returns what runs inside it. */
type Prepare = () => Promise<(tx: Tx) => Promise<PublishedItem>>

/**
 * Publishes a form once, in one transaction. A repeated draft returns the first result, even if both requests run
 * concurrently, because they lock the draft. Throws what `prepare` and the publication throw.
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
    // This lock makes creations with the same draft wait until the first transaction ends.
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
 * A browser keeps the text of a form whose response was lost until its owner returns, so a draft is remembered for
 * this long. A form that is sent later creates a second item, which its author sees.
 */
const REPEATED_DAYS = 365
const DAY_MS = 24 * 60 * 60 * 1000
/** Maximum per kind and run; a minute later the next run deletes more. */
const MOST_CLEARED = 1000

/** Deletes drafts that are too old to be sent again. Their items stay. */
export async function clearDrafts(db: Db, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - REPEATED_DAYS * DAY_MS)
  for (const { drafts } of Object.values(TABLES))
    await sql`
      delete from ${sql.table(drafts)} where (owner_id, draft_id) in (
        select owner_id, draft_id from ${sql.table(drafts)} where created_at < ${before}
        order by created_at limit ${sql.lit(MOST_CLEARED)}
      )`.execute(db)
}

/** Deletes the drafts of an erased account. */
export async function deleteDrafts(db: DbOrTx, kind: ItemKind, ownerId: string): Promise<void> {
  await sql`delete from ${sql.table(TABLES[kind].drafts)} where owner_id = ${ownerId}`.execute(db)
}
