/** Finds items that may match a search, some hundreds at most, with everything that their ranking needs. */
import { sql, type RawBuilder } from 'kysely'
import { foldTag } from '#contract/fold.ts'
import type { ItemLanguage } from '#contract/items.ts'
import type { ItemKind } from '#contract/points.ts'
import { CUSTOM_PLAN, type Db } from '#server/platform/db/connect.ts'
import { beginsWith, isNamed } from '#server/platform/db/folded-search.ts'
import { isFreePreview } from '#server/items/shared/entitlement.ts'
import { isInLanguage } from '#server/items/shared/languages.ts'
import { itemsOf, TABLES } from '#server/items/shared/tables.ts'

export interface Candidate {
  readonly id: number
  readonly titleFolded: string
  readonly title: string
  readonly description: string
  readonly tags: readonly string[]
  /** The opening of a lesson that has one. */
  readonly opening: string | null
  readonly author: string
  /** Number of purchases, counted up to 32; more don't improve the rank. */
  readonly unlocks: number
}

export interface Asked {
  readonly term: string
  /** For each word of the query its matches in the dictionary. `match` tells whether all or any are needed. */
  readonly words: readonly (readonly string[])[]
  readonly match: 'all' | 'any'
  readonly tag: string | undefined
  readonly free: boolean
  readonly language: ItemLanguage | undefined
}

/** Maximum number of items that the index of words yields, and of those that are checked against filters. */
const LOOKED_UP = 300
const ASKED = 2000
const WALKED = sql.lit(200)
/** Numbers of most liked items, or of the newest items that match a filter, which are scanned for common words. */
const POPULAR = sql.lit(1000)
const NEWEST = sql.lit(500)
/** Maximum numbers of titles that begin with the term, of an author's items, and of checks against filters. */
const ASKED_FIRST = sql.lit(500)
const TITLES = sql.lit(40)
const AUTHORS = sql.lit(40)
const BY_AUTHOR = sql.lit(40)
/** Words are common if at least COMMON of the PROBED newest items have them. */
const PROBED = sql.lit(200)
const COMMON = sql.lit(10)
const MOST_UNLOCKS = sql.lit(32)

const WORD_TABLES = { lesson: 'lesson_words', course: 'course_words' } as const

/**
 * Finds in one round trip, with bounded work for any query: titles that begin with the term, items with the words
 * (by the index of words, or by a scan of the most liked items if the words are common), and items of authors with
 * that name. PostgreSQL can only guess how many items have a word, and may scan a whole table if the guess is too
 * high. So each lookup is a materialized CTE, planned for all its rows, and each check of an item is a subselect
 * by its key.
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
  // Without filters there is nothing to check: other steps have already excluded deleted items.
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

/** Selects the `id`s of the items that are scanned for common words. */
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

/** Conditions on `i`. */
export function filtersOf(
  kind: ItemKind,
  { tag, free, language }: Pick<Asked, 'tag' | 'free' | 'language'>,
): RawBuilder<boolean> {
  const list = [sql<boolean>`i.deleted_at is null`]
  if (tag !== undefined) list.push(hasTag(kind, foldTag(tag)))
  // Courses are never free.
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
