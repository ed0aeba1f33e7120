/** Reads notices for their person. settling.ts writes them. */
import { sql, type RawBuilder } from 'kysely'
import { APPEALABLE } from '#contract/appeals.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import type { Notice } from '#contract/notices.ts'
import { shownPerson } from '#server/people/accounts/answer.ts'
import type { Db, DbOrTx } from '#server/platform/db/connect.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import type { Clock } from '#server/kernel/clock.ts'

/** Condition on a notice `n`: unread, and not about messages that were read in the chat. */
export const isUnread = sql<boolean>`(n.read_at is null and (n.kind <> 'message' or exists (
  select from conversations v where v.user_id = n.user_id and v.other_id = n.actor_id and v.unread > 0
)))`

interface Row {
  readonly id: number
  readonly kind: Notice['kind']
  readonly detail: string | null
  readonly item_kind: 'lesson' | 'course' | null
  readonly item_id: number | null
  readonly title: string
  readonly gone: boolean
  readonly comment: number | null
  readonly act: number | null
  readonly actor_id: string | null
  readonly actor_name: string | null
  readonly actor_picture: string | null
  readonly count: number
  readonly amount: number
  readonly note: string | null
  readonly happened_at: Date
  readonly read: boolean
}

/** Columns of `n`, with current names of items and people. */
const columns = sql`n.id, n.kind, n.detail, n.item_kind, n.item_id,
  coalesce(lc.title, cc.title, n.item_title, '') as title,
  coalesce(l.deleted_at, c.deleted_at) is not null or (n.item_id is not null and l.id is null and c.id is null) as gone,
  n.comment_id as comment, n.act_id as act, n.actor_id, a.username as actor_name, ap.key as actor_picture,
  n.count, n.amount, n.note, n.happened_at, not ${isUnread} as read`
const joins = sql`
  left join lessons l on n.item_kind = 'lesson' and l.id = n.item_id
  left join lesson_contents lc on lc.lesson_id = l.id
  left join courses c on n.item_kind = 'course' and c.id = n.item_id
  left join course_contents cc on cc.course_id = c.id
  left join users a on a.id = n.actor_id left join pictures ap on ap.id = a.picture_id`

const isAppealable = (detail: string | null) => APPEALABLE.some((action) => action === detail)

function toNotice(row: Row): Notice {
  const { id, kind, detail, comment, act, count, amount, note, read } = row
  return {
    id,
    kind,
    detail,
    item:
      row.item_kind === null || row.item_id === null
        ? null
        : { kind: row.item_kind, id: row.item_id, title: row.title, gone: row.gone },
    comment,
    act: act !== null && isAppealable(detail) ? `act-${act}` : null,
    actor:
      row.actor_id === null || row.actor_name === null
        ? null
        : shownPerson(row.actor_id, row.actor_name, row.actor_picture),
    count,
    amount,
    note,
    date: row.happened_at.toISOString(),
    read,
  }
}

/** Returns a page of a person's notices, newest first, and the total. */
export async function listNotices(
  db: Db,
  userId: string,
  page: number,
): Promise<{ notices: Notice[]; total: number; unread: number }> {
  type Listed = Row & { total: number; unread: number }
  const { rows } = await sql<Listed | { id: null; total: number; unread: number }>`
    select listed.*, (
      select count(*) from notices n where n.user_id = ${userId} and n.shown
    ) as total, (${unreadOf(userId)}) as unread
    from (select 1) once left join (
      select ${columns}, n.noticed_at from (
        select * from notices where user_id = ${userId} and shown
        order by noticed_at desc, id desc limit ${sql.lit(ROWS_PER_PAGE)} offset ${(page - 1) * ROWS_PER_PAGE}
      ) n ${joins}
    ) listed on true
    order by listed.noticed_at desc, listed.id desc`.execute(db)
  const notices = rows.filter((row): row is Listed => row.id !== null).map(toNotice)
  return { notices, total: rows[0]?.total ?? 0, unread: rows[0]?.unread ?? 0 }
}

const unreadOf = (userId: string): RawBuilder<number> => sql<number>`
  select count(*) from notices n where n.user_id = ${userId} and n.shown and ${isUnread}`

export async function countUnread(db: DbOrTx, userId: string): Promise<number> {
  const { rows } = await sql<{ unread: number }>`select (${unreadOf(userId)}) as unread`.execute(db)
  return rows[0]?.unread ?? 0
}

/** In the order of the given ids. */
export async function countUnreadOf(
  db: DbOrTx,
  userIds: readonly string[],
): Promise<{ userId: string; unread: number }[]> {
  const { rows } = await sql<{ userId: string; unread: number }>`
    select asked.id as "userId", (
      select count(*) from notices n where n.user_id = asked.id and n.shown and ${isUnread}
    ) as unread
    from unnest(${userIds}::uuid[]) with ordinality asked (id, place) order by asked.place`.execute(
    db,
  )
  return rows
}

/** Returns notices by id for a mail. */
export async function findNotices(db: DbOrTx, ids: readonly number[]): Promise<Notice[]> {
  const { rows } = await sql<Row>`
    select ${columns} from notices n ${joins} where n.id = any(${ids}::bigint[])
    order by n.noticed_at desc, n.id desc`.execute(db)
  return rows.map(toNotice)
}

export async function findOwners(
  db: DbOrTx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ id: number; owner: string }>`
    select n.id, n.user_id as owner from notices n where n.id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, owner }) => [id, owner]))
}

/**
 * Marks the given notices as read, or all without `ids`, except those extended since `upTo`. Returns false if none
 * was unread.
 */
export async function markRead(
  db: Db,
  userId: string,
  { ids, upTo }: { readonly ids: readonly number[] | undefined; readonly upTo: Date },
  now: Date,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update notices set read_at = ${now}
    where user_id = ${userId} and read_at is null and noticed_at <= ${upTo}
      and ${ids === undefined ? sql`true` : sql`id = any(${ids}::bigint[])`}`.execute(db)
  return numAffectedRows > 0n
}

const KEPT_DAYS = 90
const DAY_MS = 24 * 60 * 60 * 1000
/** Rows per run. The others follow a minute later. */
const MOST_CLEARED = 5000

/** Runs every minute. */
export const CLEAR_NOTICES = jobKind('clearNotices', NoPayload)

/** Deletes notices older than 90 days. Scans the lowest ids first, which belong to the oldest rows. */
export async function clearNotices(db: DbOrTx, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS)
  await sql`
    delete from notices where noticed_at < ${before} and id = any(array(
      select id from notices order by id limit ${sql.lit(MOST_CLEARED)}
    ))`.execute(db)
}

/**
 * Deletes a person's notices, and those to followers about the person's items, which contain deleted titles. The
 * person's part in other notices remains as that of a former member.
 */
export async function forgetNotices(db: DbOrTx, userId: string): Promise<void> {
  await sql`delete from notices where user_id = ${userId}`.execute(db)
  await sql`delete from notices where actor_id = ${userId} and kind = 'published'`.execute(db)
}
