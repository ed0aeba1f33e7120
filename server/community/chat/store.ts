/** The SQL of messages and conversations; only this file writes their tables. */
import { sql, type RawBuilder } from 'kysely'
import { CATCH_UP, HISTORY_PAGE, ROWS_PER_PAGE } from '#contract/limits.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { lockConversation } from '#server/platform/db/locks.ts'
import { record } from '#server/platform/events/outbox.ts'

export interface MessageRow {
  readonly id: number
  readonly text: string
  readonly created_at: Date
  readonly sender_id: string
  readonly sender_name: string
  readonly sender_picture: string | null
  readonly receiver_id: string
  readonly receiver_name: string
  readonly receiver_picture: string | null
}

const MINUTE_MS = 60_000
/** In ms: a hub call refers to a message of at most this age; later the same text is a new message. */
const CLAIM_MS = 60_000

/** Columns for `m` (messages), with the people's current names. */
const columns = sql`
  m.id, m.text, m.created_at, m.sender_id, s.username as sender_name, sp.key as sender_picture,
  m.receiver_id, r.username as receiver_name, rp.key as receiver_picture`
const people = sql`
  join users s on s.id = m.sender_id left join pictures sp on sp.id = s.picture_id
  join users r on r.id = m.receiver_id left join pictures rp on rp.id = r.picture_id`

export interface NewMessage {
  readonly senderId: string
  readonly receiverId: string
  readonly text: string
  readonly draftId: string | undefined
  readonly at: Date
  /** The message comes by the hub and is sent at once. */
  readonly delivered: boolean
  /** Messages of one person a minute; null for no limit. */
  readonly most: number | null
}

export interface Attempt {
  /** Null if nothing was written. A repeated draft returns its first id. */
  readonly id: number | null
  readonly blocked: boolean
  /** If there were too many in the last minute, the time of the oldest of them. */
  readonly busySince: Date | null
}

/**
 * Writes a message and records it, or refuses to. Messages of one conversation are serialized, so their ids
 * become visible in order: whoever has one has all before it.
 */
export function insertMessage(db: Db, message: NewMessage): Promise<Attempt> {
  const { senderId, receiverId, at } = message
  return db.transaction().execute(async (tx) => {
    const { isNew, ...attempt } = await insert(tx, message)
    if (isNew && attempt.id !== null)
      await record(tx, { type: 'message.written', messageId: attempt.id, senderId, receiverId }, at)
    return attempt
  })
}

async function insert(tx: Tx, message: NewMessage): Promise<Attempt & { isNew: boolean }> {
  const { senderId, receiverId, text, draftId = null, at, delivered, most } = message
  const { rows } = await sql<Attempt & { isNew: boolean }>`
    with turn as materialized (
      select ${lockConversation(senderId, receiverId)}
    ), known as (
      select id from messages where sender_id = ${senderId} and draft_id = ${draftId}::uuid
    ), refused as (
      select exists (select from person_blocks where user_id = ${receiverId} and blocked_id = ${senderId}) as blocked,
        (select min(created_at) from (
          select created_at from messages
          where sender_id = ${senderId} and created_at > ${new Date(at.getTime() - MINUTE_MS)}
          order by created_at desc limit coalesce(${most}::integer, 0)
        ) recent having count(*) >= ${most}::integer) as "busySince"
    ), written as (
      insert into messages (sender_id, receiver_id, text, draft_id, created_at, delivered_at, claimed_at)
      select ${senderId}, ${receiverId}, ${text}, ${draftId}::uuid, ${at},
        case when ${delivered} then ${at}::timestamptz end, case when ${delivered} then ${at}::timestamptz end
      from turn, refused where not refused.blocked and refused."busySince" is null and not exists (select from known)
      on conflict on constraint messages_draft do nothing
      returning id
    ), noted as (
      insert into conversations (user_id, other_id, last_message_id, unread)
      select side.user_id, side.other_id, written.id, side.unread from written, (values
        (${senderId}::uuid, ${receiverId}::uuid, 0), (${receiverId}::uuid, ${senderId}::uuid, 1)
      ) side (user_id, other_id, unread) order by side.user_id
      on conflict (user_id, other_id) do update
        set last_message_id = excluded.last_message_id, unread = conversations.unread + excluded.unread
    )
    select coalesce((select id from written), (select id from known)) as id,
      exists (select from written) as "isNew", refused.blocked, refused."busySince" from refused`.execute(
    tx,
  )
  return rows[0] ?? { id: null, isNew: false, blocked: false, busySince: null }
}

/** Finds the first result when two calls bring the same draft. */
export async function findDraft(db: Db, senderId: string, draftId: string): Promise<number | null> {
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('sender_id', '=', senderId)
    .where('draft_id', '=', draftId)
    .executeTakeFirst()
  return row?.id ?? null
}

export async function findMessage(db: Db, id: number): Promise<MessageRow | null> {
  const { rows } = await sql<MessageRow>`
    select ${columns} from messages m ${people} where m.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/**
 * Claims the oldest message that waits for this hub call; `deliver` is false when it was delivered already. Two
 * calls claim two messages: the later one waits for the row lock, finds the row claimed and takes the next. SKIP
 * LOCKED would miss a message that is just being delivered, and the text would be written again.
 */
export async function claimMessage(
  db: Db,
  { senderId, receiverId, text, at }: Pick<NewMessage, 'senderId' | 'receiverId' | 'text' | 'at'>,
): Promise<{ id: number; deliver: boolean } | null> {
  const { rows } = await sql<{ id: number; deliver: boolean }>`
    with waiting as (
      select id, delivered_at from messages
      where sender_id = ${senderId} and receiver_id = ${receiverId} and text = ${text}
        and claimed_at is null and created_at > ${new Date(at.getTime() - CLAIM_MS)}
      order by created_at, id limit 1 for update
    )
    update messages m set claimed_at = ${at}, delivered_at = coalesce(m.delivered_at, ${at}::timestamptz)
    from waiting where m.id = waiting.id
    returning m.id, waiting.delivered_at is null as deliver`.execute(db)
  return rows[0] ?? null
}

/** Returns true to exactly one caller, who may deliver it. */
export async function markDelivered(db: Db, id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set({ delivered_at: at })
    .where('id', '=', id)
    .where('delivered_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns the oldest first. */
export async function listMessages(
  db: Db,
  [one, other]: readonly [string, string],
  { before, after }: { before?: number | undefined; after?: number | undefined },
): Promise<MessageRow[]> {
  const conversation = sql`
    least(m.sender_id, m.receiver_id) = least(${one}::uuid, ${other}::uuid)
    and greatest(m.sender_id, m.receiver_id) = greatest(${one}::uuid, ${other}::uuid)`
  const slice: RawBuilder<unknown> =
    after === undefined
      ? sql`and m.id < ${before ?? Number.MAX_SAFE_INTEGER} order by m.id desc limit ${sql.lit(HISTORY_PAGE)}`
      : sql`and m.id > ${after} order by m.id limit ${sql.lit(CATCH_UP)}`
  const { rows } = await sql<MessageRow>`
    select ${columns} from (
      select m.* from messages m where ${conversation} ${slice}
    ) m ${people} order by m.id`.execute(db)
  return rows
}

export interface ContactRow {
  /** The id by which the reader addresses this contact. */
  readonly id: string
  readonly person_id: string
  readonly username: string
  readonly picture: string | null
  readonly text: string
  readonly created_at: Date
  readonly unread: number
}

/**
 * Returns the id of `other` in the conversations of `reader`; both are columns. An erased person gets an id that
 * only this conversation has, so that the views of two readers, or other content, can't be linked.
 */
const contactId = (reader: string, other: string) =>
  sql`md5(${sql.ref(reader)}::text || ${sql.ref(other)}::text)::uuid`

/** Returns the newest first. */
export async function listContacts(db: Db, userId: string, page: number): Promise<ContactRow[]> {
  const { rows } = await sql<ContactRow>`
    select case when u.erased_at is null then u.id else ${contactId('c.user_id', 'c.other_id')} end as id,
      u.id as person_id, u.username, p.key as picture, m.text, m.created_at, c.unread from (
      select user_id, other_id, last_message_id, unread from conversations where user_id = ${userId}
      order by last_message_id desc limit ${sql.lit(ROWS_PER_PAGE)} offset ${(page - 1) * ROWS_PER_PAGE}
    ) c join users u on u.id = c.other_id join messages m on m.id = c.last_message_id
    left join pictures p on p.id = u.picture_id
    order by c.last_message_id desc`.execute(db)
  return rows
}

const MOST_IDS = 1000

/** Lists the people a person has written with, latest first, at most 1,000, without erased ones. */
export async function listContactIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('conversations')
    .innerJoin('users', 'users.id', 'conversations.other_id')
    .select('other_id')
    .where('user_id', '=', userId)
    .where('users.erased_at', 'is', null)
    .orderBy('last_message_id', 'desc')
    .limit(MOST_IDS)
    .execute()
  return rows.map((row) => row.other_id)
}

/** The same as `countUnread`, as a part of a statement. */
export function unreadOf(userId: string): RawBuilder<number> {
  return sql<number>`(
    select coalesce(sum(unread), 0)::bigint from conversations where user_id = ${userId} and unread > 0
  )`
}

/** Counts unread messages over all conversations. */
export async function countUnread(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ unread: number }>`select ${unreadOf(userId)} as unread`.execute(db)
  return rows[0]?.unread ?? 0
}

/** Deletes a person's side of all their conversations; the other sides stay. */
export async function forgetConversations(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('conversations').where('user_id', '=', userId).execute()
}

/** Finds the erased person behind a contact by the contact's id in the reader's list, or null. */
export async function findFormerOther(
  db: Db,
  readerId: string,
  id: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('conversations')
    .innerJoin('users', 'users.id', 'conversations.other_id')
    .select('users.id')
    .where('conversations.user_id', '=', readerId)
    .where(contactId('conversations.user_id', 'conversations.other_id'), '=', id)
    .where('users.erased_at', 'is not', null)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Returns false if nothing was unread. */
export async function markRead(db: Db, userId: string, otherId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('conversations')
    .set({ unread: 0 })
    .where('user_id', '=', userId)
    .where('other_id', '=', otherId)
    .where('unread', '>', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0
}
