/** Drafts: a form's create that comes twice makes one item. */
import { sql } from 'kysely'
import type { ItemKind, RewardCheck } from '#contract/points.schemas.ts'
import type { Db, DbOrTx, Tx } from '#server/db/connect.ts'
import { lock, lockName } from '#server/db/locks.ts'
import { TABLES } from '#server/items/tables.ts'

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

/** Deletes the drafts of a person whose account is erased. */
export async function deleteDrafts(db: DbOrTx, kind: ItemKind, ownerId: string): Promise<void> {
  await sql`delete from ${sql.table(TABLES[kind].drafts)} where owner_id = ${ownerId}`.execute(db)
}
