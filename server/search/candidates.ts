/** Which items may answer a search, some hundreds at most, with all that ranks them. */
import { sql, type RawBuilder } from 'kysely'
import type { ItemKind } from '#contract/points.schemas.ts'
import { CUSTOM_PLAN, type Db } from '#server/db/connect.ts'
import { beginsWith } from '#server/db/folded-search.ts'
import { isFreePreview } from '#server/items/entitlement.ts'
import { itemsOf, TABLES } from '#server/items/tables.ts'
import { foldCase } from '#server/kernel/text/fold.ts'

/** An item that may answer, with its texts. */
export interface Candidate {
  readonly id: number
  readonly titleFolded: string
  readonly title: string
  readonly description: string
  readonly tags: readonly string[]
  readonly author: string
  /** How many unlocked it, 100 at most: beyond that it weighs no more. */
  readonly unlocks: number
}

/** What is looked for. */
export interface Asked {
  readonly term: string
  /** For each word of the query those of the dictionary that answer it; all must be answered, or any. */
  readonly words: readonly (readonly string[])[]
  readonly match: 'all' | 'any'
  readonly tag: string | undefined
  readonly free: boolean
}

const LOOKED_UP = sql.lit(300)
const WALKED = sql.lit(200)
/** The most liked items, which are looked through where a word stands in many. */
const POPULAR = sql.lit(2000)
const TITLES = sql.lit(40)
const BY_AUTHOR = sql.lit(40)
/** Of so many of the newest items ... */
const PROBED = sql.lit(200)
/** ... so many have words that are in a great part of all. */
const COMMON = sql.lit(10)
const MOST_UNLOCKS = sql.lit(100)

const WORD_TABLES = { lesson: 'lesson_words', course: 'course_words' } as const

/**
 * In one round trip, and bounded work whatever is typed: titles that begin so; items with the words, looked up by the
 * index of words, or among the most liked ones where many have them; and items of authors with that name.
 */
export async function findCandidates(db: Db, kind: ItemKind, asked: Asked): Promise<Candidate[]> {
  const { contents, id, purchases } = TABLES[kind]
  const key = sql.ref(id)
  const filters = filtersOf(kind, asked)
  const words = sql`join ${sql.table(WORD_TABLES[kind])} w on w.${key} = i.id and ${hasWords(asked)}`
  const isNarrow = asked.tag !== undefined || asked.free
  const isCommon = isNarrow ? sql`false` : sql`(select have from probe) >= ${COMMON}`
  const names = [
    ...new Set([foldCase(asked.term), ...asked.words.flatMap(([typed = '']) => typed)]),
  ]
  const tags = kind === 'lesson' ? sql`c.tags` : sql`'{}'::text[]`
  const { rows } = await sql<Candidate>`${CUSTOM_PLAN}
    with probe as materialized (
      select count(*) as have from (
        select i.id from ${itemsOf(kind)} where i.deleted_at is null order by i.id desc limit ${PROBED}
      ) i ${words}
    ), looked as materialized (
      select i.id from ${itemsOf(kind)} ${words} where not ${isCommon} and ${filters} limit ${LOOKED_UP}
    ), walked as materialized (
      select i.id from (
        select i.* from ${itemsOf(kind)} where i.deleted_at is null order by i.likes desc, i.id desc limit ${POPULAR}
      ) i ${words} where (${isCommon} or (select count(*) from looked) >= ${LOOKED_UP}) and ${filters} limit ${WALKED}
    ), titled as materialized (
      select i.id from ${itemsOf(kind)} where ${beginsWith('i.title_folded', asked.term)} and ${filters} limit ${TITLES}
    ), authored as materialized (
      select i.id from users u join ${itemsOf(kind)} on i.owner_id = u.id
      where u.username_folded = any(${names}::text[]) and u.erased_at is null and ${filters} limit ${BY_AUTHOR}
    ), found as (
      select id from looked union select id from walked union select id from titled union select id from authored
    )
    select i.id, i.title_folded as "titleFolded", c.title, c.description, ${tags} as tags, u.username as author,
      (select count(*) from (
        select from ${sql.table(purchases)} sale where sale.${key} = i.id limit ${MOST_UNLOCKS}
      ) sold) as unlocks
    from found join ${itemsOf(kind)} on i.id = found.id join ${sql.table(contents)} c on c.${key} = i.id
    join users u on u.id = i.owner_id`.execute(db)
  return rows
}

function hasWords({ words, match }: Asked): RawBuilder<boolean> {
  const each = match === 'any' ? [words.flat()] : words
  return sql<boolean>`(${sql.join(
    each.map((list) => sql`w.words && ${list}::text[]`),
    sql` and `,
  )})`
}

function filtersOf(kind: ItemKind, { tag, free }: Asked): RawBuilder<boolean> {
  const list = [sql<boolean>`i.deleted_at is null`]
  if (tag !== undefined) list.push(hasTag(kind, tag.toLowerCase()))
  // No course is open to everybody.
  if (free) list.push(kind === 'lesson' ? isFreePreview('i') : sql<boolean>`false`)
  return sql<boolean>`${sql.join(list, sql` and `)}`
}

function hasTag(kind: ItemKind, tag: string): RawBuilder<boolean> {
  if (kind === 'lesson')
    return sql`exists (select from lesson_tags t where t.lesson_id = i.id and t.tag = ${tag})`
  return sql`exists (
    select from course_lessons held join lesson_tags t on t.lesson_id = held.lesson_id
    where held.course_id = i.id and t.tag = ${tag}
  )`
}
