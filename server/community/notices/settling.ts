/**
 * Turns happenings into notices: takes and groups them in one transaction, so that each is settled once by
 * whichever process. Ten thousand likes of a lesson are at most ten thousand appended rows, and one updated row
 * here per run.
 */
import { sql, type RawBuilder } from 'kysely'
import { IN_DIGEST } from '#contract/notices.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { lockName, tryLock } from '#server/platform/db/locks.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import { planDigests } from '#server/community/notices/digest-store.ts'
import { takePublished } from '#server/community/notices/following.ts'
import { mailAtOnce } from '#server/community/notices/mailing.ts'
import {
  publishNoticed,
  type Noted,
  type SettlingNeeds,
} from '#server/community/notices/noticed.ts'

/** Runs every minute, for happenings that no serving process has settled. */
export const SETTLE_NOTICES = jobKind('settleNotices', NoPayload)

/** Happenings per transaction. */
const MOST = 500

/** Settles everything due and announces it to open pages. Does nothing while another process settles. */
export async function settleNotices(needs: SettlingNeeds): Promise<void> {
  const { db, changes } = needs
  for (let taken = MOST; taken === MOST;) {
    const settled = await db.transaction().execute((tx) => settle(tx, needs.clock.now()))
    taken = settled.taken
    publishNoticed(changes, settled.people)
  }
}

/** Returns those of these people who have new notices since then. */
export async function findNoticedSince(
  db: Db,
  people: readonly string[],
  since: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select asked.id from unnest(${people}::uuid[]) asked (id)
    where exists (select from notices n where n.user_id = asked.id and n.noticed_at > ${since} and n.shown)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** One index lookup. */
export async function isAnythingDue(db: Db, now: Date): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from happenings where due_at <= ${now}) as due`.execute(db)
  return rows[0]?.due === true
}

async function settle(tx: Tx, now: Date): Promise<{ taken: number; people: readonly string[] }> {
  if (!(await tryLock(tx, lockName.notices))) return { taken: 0, people: [] }
  await takePublished(tx, now)
  const { taken, noted } = await take(tx, now)
  await planDigests(
    tx,
    noted.filter(({ mail }) => mail === 'digest').map(({ userId }) => userId),
    now,
  )
  await mailAtOnce(
    tx,
    noted.filter(({ mail, isNews }) => mail === 'once' && isNews).map(({ id }) => id),
    now,
  )
  const people = new Set(noted.filter(({ shown }) => shown).map(({ userId }) => userId))
  return { taken, people: [...people] }
}

/**
 * The parts of the statement: 1. `taken` deletes what is due. 2. `told` omits people's own actions, blocked
 * people, messages read meanwhile, and kinds that the recipient turned off. 3. `grouped` has one row per person,
 * kind, item and day; `before` tells which of those groups were read, and looks up each one separately, because
 * the planner can't estimate their number. 4. `noted` merges them with existing notices; a group that grows is
 * unread again. At the end `noted` is not joined with another part of the statement: the planner expects one row
 * of each and would compare hundreds with hundreds in a nested loop. Instead the way of mailing is looked up
 * again, and the read groups are in a hashed list.
 */
async function take(tx: Tx, now: Date): Promise<{ taken: number; noted: readonly Noted[] }> {
  type Row = Noted & { readonly taken: number }
  const { rows } = await sql<Row | { id: null; taken: number }>`
    with taken as (
      delete from happenings where ctid = any(array(
        select ctid from happenings where due_at <= ${now} and kind <> 'published'
        order by due_at, id limit ${sql.lit(MOST)}
      )) returning *
    ), told as (
      select t.*, who.people, who.newest, coalesce(c.shown, true) as shown,
        ${mailOf(sql`t.kind`)} as mail
      from taken t join users u on u.id = t.person_id and u.erased_at is null
      cross join lateral (${actorsOf(sql`t`)}) who
      left join notice_choices c on c.user_id = t.person_id and c.kind = t.kind
      where (who.people > 0 or t.actor_ids = '{}')
        and (t.kind <> 'message' or exists (
          select from conversations v where v.user_id = t.person_id and v.other_id = who.newest and v.unread > 0
        ))
    ), grouped as (
      select person_id as user_id, kind, ${topicOf(sql`told`)} as topic, (happened_at at time zone 'UTC')::date as day,
        ${newestOf('item_kind')}, ${newestOf('item_id')}, ${newestOf('item_title')}, ${newestOf('comment_id')},
        ${newestOf('detail')}, ${newestOf('note')}, ${newestOf('newest')} as actor_id,
        sum(greatest(people, 1))::integer as count, sum(amount)::integer as amount, max(happened_at) as happened_at,
        bool_or(shown) as shown
      from told where shown or mail <> 'none' group by 1, 2, 3, 4
    ), before as (
      select n.id, n.read_at is not null as was_read from grouped g cross join lateral (
        select n.id, n.read_at from notices n
        where n.user_id = g.user_id and n.kind = g.kind and n.topic = g.topic and n.day = g.day limit 1
      ) n
    ), noted as (
      insert into notices (user_id, kind, topic, day, item_kind, item_id, item_title, comment_id, detail, note,
        actor_id, count, amount, happened_at, noticed_at, shown)
      select user_id, kind, topic, day, item_kind, item_id, coalesce(item_title, (
          select title from lesson_contents where item_kind = 'lesson' and lesson_id = item_id
        ), (select title from course_contents where item_kind = 'course' and course_id = item_id)), comment_id, detail, note, actor_id, count,
        amount, happened_at, ${now}, shown from grouped order by happened_at
      on conflict on constraint notices_group do update set count = notices.count + excluded.count,
        amount = notices.amount + excluded.amount, actor_id = excluded.actor_id, comment_id = excluded.comment_id,
        item_title = coalesce(excluded.item_title, notices.item_title), note = excluded.note,
        happened_at = greatest(notices.happened_at, excluded.happened_at), noticed_at = excluded.noticed_at,
        read_at = null, shown = excluded.shown, digest_mail = null
      returning id, user_id, kind, shown
    )
    select n.id, n.user_id as "userId", n.shown, ${mailOf(sql`n.kind`)} as mail,
      n.id not in (select id from before where not was_read) as "isNews", (select count(*) from taken) as taken
    from (select 1) once left join noted n on true
    left join notice_choices c on c.user_id = n.user_id and c.kind = n.kind`.execute(tx)
  return {
    taken: rows[0]?.taken ?? 0,
    noted: rows.filter((row): row is Row => row.id !== null),
  }
}

/** How a person is mailed about a kind, where `c` is their choice for it. */
const mailOf = (kind: RawBuilder<unknown>) => sql`
  coalesce(c.mail, case when ${kind} = any(${[...IN_DIGEST]}::text[]) then 'digest' else 'none' end)`

/** The number of people in the group, and the last of them. */
const actorsOf = (t: RawBuilder<unknown>) => sql`
  select count(*)::integer as people, (array_agg(a.id order by a.place desc))[1] as newest
  from unnest(${t}.actor_ids) with ordinality a (id, place)
  where a.id <> ${t}.person_id
    and not exists (select from person_blocks b where b.user_id = ${t}.person_id and b.blocked_id = a.id)`

/** The grouping key: the item, or the person for messages. Actions of administrators are not grouped. */
const topicOf = (t: RawBuilder<unknown>) => sql`
  case ${t}.kind when 'message' then 'from ' || ${t}.newest when 'moderation' then 'act ' || ${t}.id
    else concat_ws(' ', ${t}.item_kind, ${t}.item_id, ${t}.detail) end`

/** Takes the column from the newest row of the group. */
const newestOf = (column: string) =>
  sql`(array_agg(${sql.ref(column)} order by happened_at desc, id desc))[1]${
    column === 'newest' ? sql`` : sql` as ${sql.ref(column)}`
  }`
