/** Which items may answer a search, some hundreds at most, with all that ranks them. */
import { sql, type RawBuilder } from 'kysely'
import { foldTag } from '#contract/fold.ts'
import type { Tongue } from '#contract/items.ts'
import type { ItemKind } from '#contract/points.ts'
import { CUSTOM_PLAN, type Db } from '#server/db/connect.ts'
import { beginsWith, isNamed } from '#server/db/folded-search.ts'
import { isFreePreview } from '#server/items/entitlement.ts'
import { isInLanguage } from '#server/items/languages.ts'
import { itemsOf, TABLES } from '#server/items/tables.ts'

/** An item that may answer, with its texts. */
export interface Candidate {
  readonly id: number
  readonly titleFolded: string
  readonly title: string
  readonly description: string
  readonly tags: readonly string[]
  /** Of a lesson that shows its first words. */
  readonly opening: string | null
  readonly author: string
  /** How many unlocked it, 32 at most: beyond that it weighs no more. */
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
  readonly language: Tongue | undefined
}

/** Items with the words that are looked up; where the search is narrowed, so many are asked whether they fit. */
const LOOKED_UP = 300
const ASKED = 2000
const WALKED = sql.lit(200)
/** The most liked items, or the newest of what the search is narrowed to: looked through where a word stands in many. */
const POPULAR = sql.lit(1000)
const NEWEST = sql.lit(500)
/** Titles that begin so, and an author's items, of which so many are asked whether they fit. */
const ASKED_FIRST = sql.lit(500)
const TITLES = sql.lit(40)
const AUTHORS = sql.lit(40)
const BY_AUTHOR = sql.lit(40)
/** Of so many of the newest items ... */
const PROBED = sql.lit(200)
/** ... so many have words that are in a great part of all. */
const COMMON = sql.lit(10)
const MOST_UNLOCKS = sql.lit(32)

const WORD_TABLES = { lesson: 'lesson_words', course: 'course_words' } as const

/**
 * In one round trip, and bounded work whatever is typed: titles that begin so; items with the words, looked up by the
 * index of words, or among the most liked ones where many have them; and items of authors with that name.
 *
 * How many items have a word, PostgreSQL can only guess, and a guess that is too high makes it read a table from end to
 * end. So what is looked up is a `with` of its own, planned for all its rows though few are taken, and what is asked of
 * one item stands in a subselect, which is looked up by its key.
 */
export async function findCandidates(db: Db, kind: ItemKind, asked: Asked): Promise<Candidate[]> {
  const { contents, id, purchases } = TABLES[kind]
  const key = sql.ref(id)
  const filters = filtersOf(kind, asked)
  const words = sql.table(WORD_TABLES[kind])
  const has = (item: string) =>
    sql<boolean>`(select ${hasWords(asked)} from ${words} w where w.${key} = ${sql.ref(item)})`
  const fits = (item: string) =>
    sql<boolean>`(select true from ${itemsOf(kind)} where i.id = ${sql.ref(item)} and ${filters})`
  const isCommon = sql`(select have from probe) >= ${COMMON}`
  const isNarrow = asked.tag !== undefined || asked.free || asked.language !== undefined
  // What nothing narrows is there: that was asked already.
  const ifFits = (item: string) => (isNarrow ? fits(item) : sql<boolean>`true`)
  const most = sql.lit(isNarrow ? ASKED : LOOKED_UP)
  const names = [...new Set([asked.term, ...asked.words.flatMap(([typed = '']) => typed)])]
  const own =
    kind === 'lesson' ? sql`c.tags, c.opening` : sql`'{}'::text[] as tags, null as opening`
  const { rows } = await sql<Candidate>`${CUSTOM_PLAN}
    with probe as materialized (
      select count(*) as have from (
        select i.id from ${itemsOf(kind)} where i.deleted_at is null order by i.id desc limit ${PROBED}
      ) newest where ${has('newest.id')}
    ), having_words as materialized (
      select w.${key} as id from ${words} w where ${hasWords(asked)}
    ), met as materialized (
      select id from having_words where not ${isCommon} limit ${most}
    ), looked as materialized (
      select met.id from met where ${fits('met.id')} limit ${sql.lit(LOOKED_UP)}
    ), walked as materialized (
      select seen.id from (${someOf(kind, asked)}) seen
      where (${isCommon} or (select count(*) from met) >= ${most})
        and case when ${has('seen.id')} then ${ifFits('seen.id')} end limit ${WALKED}
    ), titled as materialized (
      select begun.id from (
        select i.id from ${itemsOf(kind)}
        where ${beginsWith('i.title_folded', asked.term)} and i.deleted_at is null
        order by i.title_folded using ~<~ limit ${ASKED_FIRST}
      ) begun where ${ifFits('begun.id')} limit ${TITLES}
    ), named as materialized (
      select u.id from users u where ${isNamed('u.name_folded', names)} and u.erased_at is null
    ), authored as materialized (
      select made.id from (
        select i.id from (select id from named limit ${AUTHORS}) author join ${itemsOf(kind)} on i.owner_id = author.id
        where i.deleted_at is null limit ${ASKED_FIRST}
      ) made where ${ifFits('made.id')} limit ${BY_AUTHOR}
    ), found as (
      select id from looked union select id from walked union select id from titled union select id from authored
    )
    select i.id, i.title_folded as "titleFolded", c.title, c.description, ${own}, u.username as author,
      (select count(*) from (
        select from ${sql.table(purchases)} sale where sale.${key} = i.id limit ${MOST_UNLOCKS}
      ) sold) as unlocks
    from found join ${itemsOf(kind)} on i.id = found.id join ${sql.table(contents)} c on c.${key} = i.id
    join users u on u.id = i.owner_id`.execute(db)
  return rows
}

/** The items among which common words are looked for; a select of `id`. */
function someOf(kind: ItemKind, { tag, free, language }: Asked): RawBuilder<unknown> {
  const { contents, id } = TABLES[kind]
  if (tag !== undefined) {
    const tagged = sql`select lesson_id as id from lesson_tags where tag = ${foldTag(tag)} order by lesson_id desc limit ${NEWEST}`
    if (kind === 'lesson') return tagged
    return sql`select distinct held.course_id as id from (${tagged}) tagged join course_lessons held on held.lesson_id = tagged.id`
  }
  if (free)
    return sql`select free_preview as id from course_contents where free_preview is not null order by free_preview desc limit ${NEWEST}`
  const popular = sql`select i.id from ${itemsOf(kind)} where i.deleted_at is null order by i.likes desc, i.id desc limit ${POPULAR}`
  if (language === undefined) return popular
  const key = sql.ref(id)
  return sql`(${popular}) union (
    select ${key} from ${sql.table(contents)} where language = ${language} order by ${key} desc limit ${NEWEST}
  )`
}

function hasWords({ words, match }: Asked): RawBuilder<boolean> {
  const each = match === 'any' ? [words.flat()] : words
  return sql<boolean>`(${sql.join(
    each.map((list) => sql`w.words && ${list}::text[]`),
    sql` and `,
  )})`
}

function filtersOf(kind: ItemKind, { tag, free, language }: Asked): RawBuilder<boolean> {
  const list = [sql<boolean>`i.deleted_at is null`]
  if (tag !== undefined) list.push(hasTag(kind, foldTag(tag)))
  // No course is open to everybody.
  if (free) list.push(kind === 'lesson' ? isFreePreview('i') : sql<boolean>`false`)
  if (language !== undefined) list.push(isInLanguage(kind, language))
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
