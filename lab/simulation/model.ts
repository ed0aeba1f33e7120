/** The rules that are checked after a history. */
import type pg from 'pg'
import { BOOK_RULES, type Sellers } from '#server/testing/learning/sellers.ts'
import type { Act, Outcome, Verb } from './acts.ts'

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
    where l.user_id = any($1) and l.item_kind = 'lesson' and l.reason = 'bought'`,
  'nobody has paid for an item that is gone': `
    select p.user_id from lesson_purchases p join lessons l on l.id = p.lesson_id
    where p.user_id = any($1) and l.deleted_at is not null and not l.kept_for_buyers
    union all
    select p.user_id from course_purchases p join courses k on k.id = p.course_id
    where p.user_id = any($1) and k.deleted_at is not null and not k.kept_for_buyers`,
  'what a deleted lesson took from a course is given back': `
    select d.lesson_id from course_shares_due d join lessons l on l.id = d.lesson_id where l.owner_id = any($1)`,
  'each sale is recorded once': `
    select p.user_id from point_entries p where p.user_id = any($1) and p.reason = 'bought' and 1 <> (
      select count(*) from events e where e.type = p.item_kind || '.sold'
        and e.data->>'buyerId' = p.user_id::text and (e.data->'item'->>'id')::bigint = p.item_id)
    union all
    select (e.data->>'buyerId')::uuid from events e
    where e.type like '%.sold' and (e.data->>'buyerId')::uuid = any($1) and not exists (
      select from point_entries p where p.user_id = (e.data->>'buyerId')::uuid and p.reason = 'bought'
        and p.item_id = (e.data->'item'->>'id')::bigint and e.type = p.item_kind || '.sold')`,
  'the number of likes is the number of people who like it': `
    select l.id from lessons l where l.owner_id = any($1) and l.deleted_at is null
      and l.likes <> (select count(*) from lesson_likes k where k.lesson_id = l.id)`,
  'the number of comments is the number of comments': `
    select l.id from lessons l where l.owner_id = any($1) and l.deleted_at is null
      and l.comments <> (select count(*) from comments m where m.lesson_id = l.id and m.deleted_at is null)`,
}

/** One statement with all rules, because each history asks them. */
const BROKEN = Object.entries(RULES)
  .map(([rule, text]) => `select '${rule.replaceAll("'", "''")}' as rule where exists (${text})`)
  .join('\nunion all\n')

/** How often each act is recorded: purchases in the ledger, likes and comments as events. */
const RECORDED = `
  select case item_kind when 'lesson' then 'buyLesson' else 'buyCourse' end as verb, user_id::text as person, item_id::float8 as item, count(*)::int as times
  from point_entries where user_id = any($1) and reason = 'bought' group by 1, 2, 3
  union all
  select case type when 'item.liked' then 'like' else 'comment' end, data->>'userId', (data->'item'->>'id')::float8, count(*)::int
  from events where type in ('item.liked', 'comment.created') and data->>'userId' = any($1::text[]) group by 1, 2, 3`

export interface Done {
  readonly act: Act
  readonly outcomes: readonly Outcome[]
}

/** Returns the rules that don't hold. */
export async function check(
  pool: pg.Pool,
  world: Sellers,
  acts: readonly Done[],
): Promise<string[]> {
  const values = [world.people.map(({ id }) => id)]
  const broken = await pool.query<{ rule: string }>({ name: 'broken', text: BROKEN, values })
  const recorded = await pool.query<Recorded>({ name: 'recorded', text: RECORDED, values })
  return [...broken.rows.map(({ rule }) => rule), ...checkActs(world, acts, recorded.rows)]
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
function checkActs(world: Sellers, acts: readonly Done[], rows: readonly Recorded[]): string[] {
  const keyOf = ({ verb, who, which }: Act) => {
    const items = verb === 'buyCourse' ? world.courses : world.lessons
    return `${verb} ${world.people[who]?.id} ${items[which % items.length]}`
  }
  const times = new Map(rows.map((row) => [`${row.verb} ${row.person} ${row.item}`, row.times]))
  const broken: string[] = []
  for (const [key, same] of Map.groupBy(acts, ({ act }) => keyOf(act))) {
    const verb = same[0]?.act.verb
    if (verb === undefined || !RECORDED_VERBS.has(verb)) continue
    const done = same.filter(({ outcomes }) => outcomes.at(-1) === 'done').length
    const most = verb === 'comment' ? same.length : 1
    const found = times.get(key) ?? 0
    if (found < Math.min(done, most)) broken.push(`what was acknowledged is there: ${verb}`)
    if (found > most) broken.push(`what was done once is there once: ${verb}`)
  }
  return broken
}

const RECORDED_VERBS: ReadonlySet<Verb> = new Set(['buyLesson', 'buyCourse', 'like', 'comment'])
