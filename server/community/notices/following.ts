/** Notifies followers of new items in a job, because there may be any number of followers. */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { IN_DIGEST } from '#contract/notices.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import type { DispatchNeeds } from '#server/platform/events/dispatching.ts'
import type { Recorded } from '#server/platform/events/outbox.ts'
import { listFollowers } from '#server/items/follows/store.ts'
import { jobKind, type JobHandler } from '#server/platform/jobs/job.ts'
import { addJobLater } from '#server/platform/jobs/queue.ts'
import { planDigests } from '#server/community/notices/digest-store.ts'
import { mailAtOnce } from '#server/community/notices/mailing.ts'
import { noticed, type Noted } from '#server/community/notices/noticed.ts'

const Published = z.object({
  kind: z.enum(['lesson', 'course']),
  id: z.number(),
  /** Time of publication. */
  at: z.string(),
})
type Published = z.output<typeof Published>

export const TELL_FOLLOWERS = jobKind('tellFollowers', Published)

/** Followers per transaction. */
const MOST = 1000

interface Item {
  readonly ownerId: string
  readonly title: string
}

/** Enqueues a job for each published item. */
export async function tellFollowersLater(tx: Tx, recorded: readonly Recorded[]): Promise<void> {
  for (const { event, at } of recorded)
    if (event.type === 'lesson.published' || event.type === 'course.published')
      await addJobLater(tx, TELL_FOLLOWERS, { ...event.item, at: at.toISOString() })
}

/**
 * Runs TELL_FOLLOWERS in batches of a thousand followers by id. If interrupted it starts again and skips followers
 * who already have a row.
 */
export function createFollowerTeller(needs: DispatchNeeds): JobHandler<Published> {
  const { db, clock, events } = needs
  return async (published, { signal }) => {
    for (let after = 0, isMore = true; isMore;) {
      signal.throwIfAborted()
      const notified = await db.transaction().execute(async (tx) => {
        const item = await findItem(tx, published)
        if (item === null) return { news: [], last: null }
        const followers = await listFollowers(tx, item.ownerId, { after, most: MOST })
        const ids = followers.map(({ followerId }) => followerId)
        const noted = await insertFor(tx, ids, { ...item, ...published }, clock.now())
        const last = followers.length < MOST ? null : (followers.at(-1)?.id ?? null)
        return { news: noticed(noted), last }
      })
      for (const event of notified.news) events.publish(event)
      isMore = notified.last !== null
      after = notified.last ?? after
    }
  }
}

/** Returns null if the item or its author no longer exists. */
async function findItem(tx: Tx, { kind, id }: Published): Promise<Item | null> {
  const [items, contents, key] =
    kind === 'lesson'
      ? [sql.table('lessons'), sql.table('lesson_contents'), sql.ref('c.lesson_id')]
      : [sql.table('courses'), sql.table('course_contents'), sql.ref('c.course_id')]
  const { rows } = await sql<Item>`
    select i.owner_id as "ownerId", c.title from ${items} i join ${contents} c on ${key} = i.id
    join users u on u.id = i.owner_id and u.suspended_at is null and u.erased_at is null
    where i.id = ${id} and i.deleted_at is null`.execute(tx)
  return rows[0] ?? null
}

async function insertFor(
  tx: Tx,
  followers: readonly string[],
  { kind, id, at, ownerId, title }: Item & Published,
  now: Date,
): Promise<readonly Noted[]> {
  const { rows } = await sql<Noted>`
    with told as (
      select u.id, coalesce(c.shown, true) as shown,
        coalesce(c.mail, ${IN_DIGEST.includes('published') ? 'digest' : 'none'}) as mail
      from unnest(${followers}::uuid[]) asked (id) join users u on u.id = asked.id and u.erased_at is null
      left join notice_choices c on c.user_id = u.id and c.kind = 'published'
      where not exists (select from person_blocks b where b.user_id = u.id and b.blocked_id = ${ownerId})
    ), noted as (
      insert into notices (user_id, kind, topic, day, item_kind, item_id, item_title, actor_id, count, amount,
        happened_at, noticed_at, shown)
      select told.id, 'published', ${`${kind} ${id}`}, (${at}::timestamptz at time zone 'UTC')::date, ${kind}, ${id}::bigint,
        ${title}, ${ownerId}::uuid, 1, 0, ${at}::timestamptz, ${now}, told.shown
      from told where told.shown or told.mail <> 'none' order by told.id
      on conflict on constraint notices_group do nothing returning id, user_id, shown
    )
    select noted.id, noted.user_id as "userId", noted.shown, told.mail, true as "isNews"
    from noted join told on told.id = noted.user_id`.execute(tx)
  const by = (mail: Noted['mail']) => rows.filter((row) => row.mail === mail)
  await planDigests(
    tx,
    by('digest').map(({ userId }) => userId),
    now,
  )
  await mailAtOnce(
    tx,
    by('once').map((row) => row.id),
    now,
  )
  return rows
}
