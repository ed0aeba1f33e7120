/**
 * Turns events into notices, grouped by person, kind, item and day. Ten thousand likes of a lesson are at most ten
 * thousand appended rows, and one updated row here for each batch.
 */
import { sql, type RawBuilder } from 'kysely'
import { IN_DIGEST } from '#contract/notices.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import type { Subscriber } from '#server/platform/events/dispatching.ts'
import type { Recorded } from '#server/platform/events/outbox.ts'
import { planDigests } from '#server/community/notices/digest-store.ts'
import { tellFollowersLater } from '#server/community/notices/following.ts'
import { mailAtOnce } from '#server/community/notices/mailing.ts'
import { noticed, type Noted } from '#server/community/notices/noticed.ts'
import { noticesOf } from '#server/community/notices/drafts.ts'

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

/** Writes notices and their mails, and announces them to open pages. */
export const settleNotices: Subscriber = async (tx, recorded, now) => {
  await tellFollowersLater(tx, recorded)
  const noted = await note(tx, recorded, now)
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
  return noticed(noted)
}

/**
 * Inserts or updates the notices of these events:
 * 1. `wanted` leaves out a person's own actions, people they blocked, and messages they have read meanwhile.
 * 2. `grouped` has one row per person, kind, item and day, without kinds that the person turned off.
 * 3. `before` finds the existing notice of each group by an index lookup of its own (`lateral`), because the planner
 *    can't estimate how many there are.
 * 4. `noted` inserts the groups or adds them to existing notices, which become unread again.
 * The final select doesn't join `noted` with another CTE: the planner expects one row of each, and would choose a
 * nested loop over hundreds. It reads the choices again, and checks `before` by a hashed `not in`.
 */
async function note(tx: Tx, recorded: readonly Recorded[], now: Date): Promise<readonly Noted[]> {
  const drafts = recorded.flatMap(({ id, event, at }) =>
    noticesOf(event).map(({ item, ...each }) => ({
      ...each,
      id,
      item_kind: item?.kind,
      item_id: item?.id,
      happened_at: at,
    })),
  )
  if (drafts.length === 0) return []
  const { rows } = await sql<Noted>`
    with wanted as (
      select t.*, coalesce(c.shown, true) as shown, ${mailOf(sql`t.kind`)} as mail
      from jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb) as t (
        id bigint, kind text, person uuid, actor uuid, item_kind text, item_id bigint, title text, comment bigint,
        act bigint, detail text, amount integer, note text, happened_at timestamptz
      ) join users u on u.id = t.person and u.erased_at is null
      left join notice_choices c on c.user_id = t.person and c.kind = t.kind
      where t.actor is distinct from t.person
        and not exists (select from person_blocks b where b.user_id = t.person and b.blocked_id = t.actor)
        and (t.kind <> 'message' or exists (
          select from conversations v where v.user_id = t.person and v.other_id = t.actor and v.unread > 0
        ))
    ), grouped as (
      select person as user_id, kind, ${topicOf(sql`wanted`)} as topic, (happened_at at time zone 'UTC')::date as day,
        ${newestOf('item_kind')}, ${newestOf('item_id')}, ${newestOf('title')}, ${newestOf('comment')},
        ${newestOf('act')}, ${newestOf('detail')}, ${newestOf('note')}, ${newestOf('actor')},
        count(*)::integer as count, coalesce(sum(amount), 0)::integer as amount, max(happened_at) as happened_at,
        bool_or(shown) as shown
      from wanted where shown or mail <> 'none' group by 1, 2, 3, 4
    ), before as (
      select n.id, n.read_at is not null as was_read from grouped g cross join lateral (
        select n.id, n.read_at from notices n
        where n.user_id = g.user_id and n.kind = g.kind and n.topic = g.topic and n.day = g.day limit 1
      ) n
    ), noted as (
      insert into notices (user_id, kind, topic, day, item_kind, item_id, item_title, comment_id, act_id, detail, note,
        actor_id, count, amount, happened_at, noticed_at, shown)
      select user_id, kind, topic, day, item_kind, item_id, coalesce(title, (
          select title from lesson_contents where item_kind = 'lesson' and lesson_id = item_id
        ), (select title from course_contents where item_kind = 'course' and course_id = item_id)), comment, act, detail, note, actor,
        count, amount, happened_at, ${now}, shown from grouped order by happened_at
      on conflict on constraint notices_group do update set count = notices.count + excluded.count,
        amount = notices.amount + excluded.amount, actor_id = excluded.actor_id, comment_id = excluded.comment_id,
        item_title = coalesce(excluded.item_title, notices.item_title), note = excluded.note,
        happened_at = greatest(notices.happened_at, excluded.happened_at), noticed_at = excluded.noticed_at,
        read_at = null, shown = excluded.shown, digest_mail = null
      returning id, user_id, kind, shown
    )
    select n.id, n.user_id as "userId", n.shown, ${mailOf(sql`n.kind`)} as mail,
      n.id not in (select id from before where not was_read) as "isNews"
    from noted n left join notice_choices c on c.user_id = n.user_id and c.kind = n.kind`.execute(
    tx,
  )
  return rows
}

/** How a person is mailed about a kind, where `c` is their choice for it. */
const mailOf = (kind: RawBuilder<unknown>) => sql`
  coalesce(c.mail, case when ${kind} = any(${[...IN_DIGEST]}::text[]) then 'digest' else 'none' end)`

/** The grouping key: the item, or the person for messages. Actions of administrators are not grouped. */
const topicOf = (t: RawBuilder<unknown>) => sql`
  case ${t}.kind when 'message' then 'from ' || ${t}.actor when 'moderation' then 'act ' || ${t}.id
    else concat_ws(' ', ${t}.item_kind, ${t}.item_id, ${t}.detail) end`

/** Takes the column from the newest row of the group. */
const newestOf = (column: string) =>
  sql`(array_agg(${sql.ref(column)} order by happened_at desc, id desc))[1] as ${sql.ref(column)}`
