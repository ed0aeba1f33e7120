/** The rules that are checked after a history. */
import type pg from 'pg'
import { type Lesson, lessons } from '#contract/lessons.ts'
import { BOOK_RULES } from '#server/testing/learning/sellers.ts'
import type { Done } from './acts.ts'
import type { Node } from './node.ts'
import type { Verb, World } from './world.ts'

/** Each query returns violations among the people in $1. */
const RULES: Readonly<Record<string, string>> = {
  ...BOOK_RULES,
  'nobody buys with points they do not have': `
    select user_id from point_entries where user_id = any($1) and reason = 'bought' and net_after < 0`,
  'nobody pays for a lesson that a course has opened to them': `
    select l.user_id from point_entries l
    join point_entries k on k.user_id = l.user_id and k.item_kind = 'course' and k.reason = 'bought' and k.id < l.id
    join course_lessons held on held.course_id = k.item_id and held.lesson_id = l.item_id
    join courses living on living.id = k.item_id and living.deleted_at is null
    where l.user_id = any($1) and l.item_kind = 'lesson' and l.reason = 'bought' and not exists (
      select from point_entries r where r.user_id = k.user_id and r.item_kind = 'course' and r.item_id = k.item_id
        and r.reason = 'returned' and r.id between k.id and l.id)`,
  'nobody has paid for an item that is gone': `
    select p.user_id from lesson_purchases p join lessons l on l.id = p.lesson_id
    where p.user_id = any($1) and l.deleted_at is not null and not l.kept_for_buyers
    union all
    select p.user_id from course_purchases p join courses k on k.id = p.course_id
    where p.user_id = any($1) and k.deleted_at is not null and not k.kept_for_buyers`,
  'what a deleted lesson took from a course is given back': `
    select d.lesson_id from course_shares_due d join lessons l on l.id = d.lesson_id where l.owner_id = any($1)`,
  'each sale and return is announced to programs once': `
    with moved as (
      select p.item_kind || case p.reason when 'returned' then '.returned' else '.sold' end as type, p.item_id as item,
        p.user_id::text as buyer, count(*) as times
      from point_entries p where p.user_id = any($1) and p.reason in ('bought', 'trusted', 'returned') group by 1, 2, 3
    ), announced as (
      select type, (data->split_part(type, '.', 1)->>'id')::bigint as item, data->'buyer'->>'id' as buyer, count(*) as times
      from webhook_events where type ~ '.(sold|returned)$' group by 1, 2, 3
    )
    select from moved full join announced using (type, item, buyer, times)
    where (moved.times is null or announced.times is null) and not exists (select from erased)`,
  'each lesson is announced to programs once': `
    select from point_entries p where p.user_id = any($1) and p.reason in ('created', 'rewardWithheld')
      and p.item_kind = 'lesson' and not exists (select from flags f where f.subject_id = p.item_id::text)
      and not exists (select from erased) and 1 <> (select count(*) from webhook_events e
        where e.type = 'lesson.published' and (e.data->'lesson'->>'id')::bigint = p.item_id)`,
  'each event is delivered to each endpoint once': `
    select from webhook_events e where 1 <> (select count(*) from webhook_deliveries d where d.event_id = e.id)`,
  'authors are told of each sale once': `
    with sold as (
      select p.item_kind as kind, p.item_id as item, count(*) as times from point_entries p
      where p.user_id = any($1) and p.reason in ('bought', 'trusted') group by 1, 2
    ), told as (
      select item_kind as kind, item_id as item, sum(count) as times from notices
      where user_id = any($1) and kind = 'sold' and detail is distinct from 'returned' group by 1, 2
    )
    select from sold full join told using (kind, item, times)
    where (sold.times is null or told.times is null) and not exists (select from erased)`,
  'authors are told of each like once': `
    select from lessons l where l.owner_id = any($1) and not exists (select from erased)
      and (select count(*) from lesson_likes k where k.lesson_id = l.id and k.user_id <> l.owner_id) <>
        (select coalesce(sum(n.count), 0) from notices n where n.kind = 'liked' and n.item_kind = 'lesson' and n.item_id = l.id)`,
  'authors are told of each comment once': `
    select from lessons l where l.owner_id = any($1) and not exists (select from erased)
      and (select count(*) from comments m where m.lesson_id = l.id and m.user_id <> l.owner_id) <>
        (select coalesce(sum(n.count), 0) from notices n where n.kind = 'commented' and n.item_kind = 'lesson' and n.item_id = l.id)`,
  'each new notice that asks for a mail is mailed once': `
    select from users u where u.id = any($1) and not exists (select from erased)
      and (select count(*) from notices n where n.user_id = u.id and n.kind = 'sold') +
        (select count(*) from moderation_log a where a.person_id = u.id and a.action in ('suspended', 'unsuspended', 'administratorMade', 'administratorRemoved')
          and a.reason is distinct from 'prepared') <>
        (select count(*) from mails m where m.user_id = u.id and m.kind = 'notice')`,
  'each suspension and its end is logged once': `
    select from users u where u.id = any($1) and (u.suspended_at is not null)::int <>
      (select coalesce(sum(case action when 'suspended' then 1 when 'unsuspended' then -1 end), 0)
        from moderation_log a where a.person_id = u.id)`,
  'a role is what the log says': `
    select from users u where u.id = any($1) and (u.role = 'administrator')::int <>
      (select coalesce(sum(case action when 'administratorMade' then 1 when 'administratorRemoved' then -1 end), 0)
        from moderation_log a where a.person_id = u.id)`,
  'only administrators change roles': `
    select from moderation_log a where a.actor_id = any($1) and a.action in ('administratorMade', 'administratorRemoved')
      and 1 <> (select coalesce(sum(case b.action when 'administratorMade' then 1 when 'administratorRemoved' then -1 end), 0)
        from moderation_log b where b.person_id = a.actor_id and b.id < a.id)`,
  'no administrator is suspended': `
    select from users where id = any($1) and role = 'administrator' and suspended_at is not null`,
  'each change of a setting is logged once': `
    select from site_settings where version <> (select count(*) from moderation_log where action = 'settingChanged')`,
  'a share is at most a percentage that was set': `
    select from lesson_purchases p join lessons l on l.id = p.lesson_id where l.owner_id = any($1)
      and p.share > (select max(p.price * value / 100) from setting_values where name = 'AUTHOR_SHARE')`,
  'nobody is rewarded more often a day than a limit that was set': `
    select from lesson_rewards r join lesson_drafts d using (lesson_id) where r.user_id = any($1)
    group by r.user_id, r.day having count(*) > (select max(value) from setting_values where name = 'DAILY_REWARD_LIMIT')`,
  'each deletion of a comment of others is logged once': `
    select from users u where u.id = any($1)
      and (select count(*) from comments m where m.user_id = u.id and m.deleted_by <> u.id) <>
        (select coalesce(sum(case action when 'commentDeleted' then 1 when 'commentRestored' then -1 end), 0)
          from moderation_log a where a.person_id = u.id)`,
  'no mail waits': `select from mails where user_id = any($1) and state = 'waiting'`,
  'rewards are what the ledger gave and took': `
    select from users u where u.id = any($1)
      and (select coalesce(sum(r.amount), 0) from (
          select user_id, amount from lesson_rewards union all select user_id, amount from course_rewards
        ) r where r.user_id = u.id) <>
        (select coalesce(sum(e.amount), 0) from point_entries e
          where e.user_id = u.id and e.reason in ('created', 'rewardWithdrawn'))`,
  'a reported lesson has its reward unless it was judged a copy': `
    select from flags f join lessons l on l.id = case f.kind when 'lesson' then f.subject_id::bigint end
    where l.owner_id = any($1) and (l.deleted_at is null or l.kept_for_buyers) and (coalesce(f.outcome, 'fine') = 'fine') <>
      exists (select from lesson_rewards r where r.lesson_id = l.id)`,
  'no deleted lesson has a reward': `
    select from lesson_rewards r join lessons l on l.id = r.lesson_id
    where r.user_id = any($1) and l.deleted_at is not null and not l.kept_for_buyers`,
  'the sum of stars is the sum of the ratings': `
    select from lessons l where l.owner_id = any($1) and l.deleted_at is null and (l.ratings, l.rating_stars) <>
      (select count(*), coalesce(sum(r.stars), 0) from ratings r where r.lesson_id = l.id and r.deleted_at is null)`,
  'only people who opened an item rate it': `
    select from ratings r join lessons l on l.id = r.lesson_id
    where r.user_id = any($1) and r.deleted_at is null and l.owner_id = r.user_id`,
  'the number of followers is the number of followers': `
    select from users u where u.id = any($1) and (select count(*) from follows f where f.author_id = u.id) <>
      coalesce((select c.followers from follow_counts c where c.author_id = u.id), 0)`,
  'nothing of an erased person is left': `
    select from erased where exists (select from lessons l where l.owner_id = erased.id and l.deleted_at is null)
      or exists (select from ratings r where r.user_id = erased.id and r.deleted_at is null)
      or exists (select from follows f where erased.id in (f.follower_id, f.author_id))
      or exists (select from notices n where n.user_id = erased.id)`,
  'the number of likes is the number of people who like it': `
    select l.id from lessons l where l.owner_id = any($1) and l.deleted_at is null
      and l.likes <> (select count(*) from lesson_likes k where k.lesson_id = l.id)`,
  'the number of comments is the number of comments': `
    select l.id from lessons l where l.owner_id = any($1) and l.deleted_at is null
      and l.comments <> (select count(*) from comments m where m.lesson_id = l.id and m.deleted_at is null)
    union all
    select k.id from courses k where k.owner_id = any($1) and k.deleted_at is null
      and k.comments <> (select coalesce(sum(l.comments), 0) from course_lessons h join lessons l on l.id = h.lesson_id
        where h.course_id = k.id)`,
}

/** One statement with all rules, because each history asks them. */
const BROKEN = `with erased as (
  select id from users where id = any($1) and erased_at is not null
), setting_values as (
  select key as name, value::int from site_settings, jsonb_each_text(texts) where value ~ '^[0-9]+$'
  union all
  select subject_id, split_part(subject, ' ', 1)::int from moderation_log where action = 'settingChanged'
)
${Object.entries(RULES)
  .map(([rule, text]) => `select '${rule.replaceAll("'", "''")}' as rule where exists (${text})`)
  .join('\nunion all\n')}`

/** How often each act is recorded, for the people in $1 and lessons that are not in $2. */
const RECORDED = `
  select case reason when 'trusted' then 'trust' else case reason when 'bought' then 'buy' else 'return' end || initcap(item_kind) end as verb, user_id::text as person,
    item_id::float8 as item, count(*)::int as times
  from point_entries where user_id = any($1) and reason in ('bought', 'trusted', 'returned') group by 1, 2, 3
  union all
  select 'like', user_id::text, lesson_id::float8, count(*)::int from lesson_likes where user_id = any($1) group by 1, 2, 3
  union all
  select 'comment', user_id::text, lesson_id::float8, count(*)::int from comments where user_id = any($1) group by 1, 2, 3
  union all
  select 'publish', owner_id::text, 0, count(*)::int from lessons where owner_id = any($1) and id <> all($2) group by 2`

/** Returns the rules that don't hold. */
export async function check(pool: pg.Pool, world: World, acts: readonly Done[]): Promise<string[]> {
  const people = world.people.map(({ id }) => id)
  const broken = await pool.query<{ rule: string }>({
    name: 'broken',
    text: BROKEN,
    values: [people],
  })
  const sold = world.lessons.filter((id) => !world.publishers.has(id))
  const recorded = await pool.query<Recorded>({
    name: 'recorded',
    text: RECORDED,
    values: [people, sold],
  })
  return [...broken.rows.map(({ rule }) => rule), ...checkActs(acts, recorded.rows)]
}

interface Recorded {
  readonly verb: Verb
  readonly person: string
  readonly item: number
  readonly times: number
}

/**
 * An acknowledged act is recorded once. One whose answer was lost is recorded once or not at all: people repeat it
 * until it is done or refused.
 */
function checkActs(acts: readonly Done[], rows: readonly Recorded[]): string[] {
  const keyOf = ({ act: { verb }, target: { viewer, lesson, course } }: Done) => {
    const item = verb === 'publish' ? 0 : COURSE_VERBS.has(verb) ? course : lesson
    return `${verb} ${DROPPING.has(verb) ? '' : viewer.id} ${item}`
  }
  const tries = (list: readonly Done[]) =>
    list.reduce((sum, { outcomes }) => sum + outcomes.length, 0)
  const times = new Map(rows.map((row) => [`${row.verb} ${row.person} ${row.item}`, row.times]))
  const broken: string[] = []
  for (const [key, same] of Map.groupBy(acts, keyOf)) {
    const verb = same[0]?.act.verb
    if (verb === undefined || !(RECORDED_VERBS.has(verb) || DROPPING.has(verb))) continue
    const count = (list: readonly Done[]) =>
      DRAFT_VERBS.has(verb) ? new Set(list.map(({ draftId }) => draftId)).size : list.length
    const done = count(same.filter(({ outcomes }) => outcomes.at(-1) === 'done'))
    const most = DRAFT_VERBS.has(verb) ? count(same) : MAY_REPEAT.has(verb) ? tries(same) : 1
    if (done > most) broken.push(`what can be done once is acknowledged once: ${verb}`)
    if (!RECORDED_VERBS.has(verb)) continue
    const found = times.get(key) ?? 0
    if (found < Math.min(done, most)) broken.push(`what was acknowledged is there: ${verb}`)
    if (found > most) broken.push(`what was done once is there once: ${verb}`)
  }
  return broken
}

/** A draft that is sent again is the same one. */
const DRAFT_VERBS: ReadonlySet<Verb> = new Set(['comment', 'publish'])
/** After a return, an item may be bought again, even by a try that nobody knows to have succeeded. */
const MAY_REPEAT: ReadonlySet<Verb> = new Set([
  'buyLesson',
  'buyCourse',
  'returnLesson',
  'returnCourse',
])
const RECORDED_VERBS: ReadonlySet<Verb> = new Set([...DRAFT_VERBS, ...MAY_REPEAT, 'trust', 'like'])
const DROPPING: ReadonlySet<Verb> = new Set(['dropLesson', 'dropCourse'])
const COURSE_VERBS: ReadonlySet<Verb> = new Set(['buyCourse', 'returnCourse', 'dropCourse'])

/** Reads how a node shows lessons to guests, which it may do from memory. */
export async function readViews(
  node: Node,
  { lessons: ids }: World,
  places: readonly number[],
): Promise<string> {
  const views: unknown[] = []
  for (const place of places) {
    const id = ids[place % ids.length] ?? 0
    views.push(await node.call(lessons.show, null, { id }).then(toShown, String))
  }
  return JSON.stringify(views)
}

/** Without numbers of sales, which need not appear at once. */
const toShown = ({ title, likes, commentCount, rating, ratings }: Lesson) => ({
  title,
  likes,
  commentCount,
  rating,
  ratings,
})
