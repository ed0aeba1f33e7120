/** Finds the comments for the desk: the parts of its statement for each kind of search. */
import { sql, type RawBuilder } from 'kysely'
import { Prediction, type CommentCounts, type ModerationQuery } from '#contract/comments.ts'
import { EXACT_TOTAL } from '#contract/limits.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { contains, isNamed, isShort } from '#server/platform/db/folded-search.ts'
import { isReadable } from '#server/items/shared/entitlement.ts'
import { undoableSince } from '#server/people/moderation/undo.ts'

type Filter = Pick<ModerationQuery, 'label' | 'language'>

export interface Hits {
  /** CTEs with `counts`, one row with a number up to 10,001 for each chip, and `cut`. */
  readonly parts: RawBuilder<unknown>
  /** Selects `id` and `at` of the matches in their order, without a limit. */
  readonly page: RawBuilder<unknown>
  /** True if the matches are collected only as far as they are counted. */
  readonly gathered: boolean
  /** The only chip that is counted; null for all. With `cut` there may be more matches than counted. */
  readonly only: keyof CommentCounts | null
  /** True if the best plan depends on the values. */
  readonly replanned: boolean
}

const BEYOND_CAP = sql.lit(EXACT_TOTAL + 1)
const LABELS = [...Prediction.options, 'NONE'] as const
const there = sql<boolean>`m.deleted_at is null`
const newestFirst = sql`order by m.id desc`

/** Literals let the planner use the partial indexes. */
function hasLabel(label: Filter['label']): RawBuilder<boolean> {
  if (label === undefined) return sql`true`
  return label === 'NONE' ? sql`m.prediction is null` : sql`m.prediction = ${sql.lit(label)}`
}

function inLanguage(language: Filter['language']): RawBuilder<boolean> {
  return language === undefined ? sql`true` : sql`m.language = ${sql.lit(language)}`
}

/**
 * Without a search term, the page and each chip walk a suitable index. Every comment has at most one label, so the
 * total is the sum of all chips.
 */
export function plainHits({ label, language }: Filter): Hits {
  const from = (one: Filter['label']) => sql`
    from comments m where ${there} and ${inLanguage(language)} and ${hasLabel(one)}`
  const chip = (one: (typeof LABELS)[number]) => sql`
    (select count(*) from (select 1 ${from(one)} limit ${BEYOND_CAP}) counted) as ${sql.id(one)}`
  const all = sql.join(
    LABELS.map((label) => sql.id(label)),
    sql` + `,
  )
  return {
    parts: sql`chips as materialized (select ${sql.join(LABELS.map(chip))}),
      counts as materialized (select ${all} as "ALL", chips.*, false as cut from chips)`,
    page: sql`select m.id, null::timestamptz as at ${from(label)} ${newestFirst}`,
    gathered: false,
    only: null,
    replanned: false,
  }
}

const countsOfHits = (cut: RawBuilder<boolean>) => sql`counts as materialized (
    select count(*) as "ALL", ${sql.join(
      LABELS.map((label) => sql`count(*) filter (where ${hasLabel(label)}) as ${sql.id(label)}`),
    )}, ${cut} as cut from hits m
  )`

export interface Estimate {
  /** People whose name contains the term. */
  readonly writers: readonly string[]
  /** Number of comments in a sample that contain the term. */
  readonly found: number
}

/** Maximum number of people whose comments are added to the matches. */
const MOST_WRITERS = sql.lit(20)

/** Percentage of the table. */
const SAMPLE = 0.3

/**
 * Estimates how to search: finds people whose name matches, and counts a sample of 0.3 % of the comments. The
 * sample reads a few hundred pages, whatever the term.
 */
export async function estimate(db: Db, term: string): Promise<Estimate> {
  if (term === '') return { writers: [], found: 0 }
  const sampled = isShort(term)
    ? sql`select 0 as found`
    : sql`select count(*) as found from comments m tablesample system (${sql.lit(SAMPLE)})
        where ${standsIn(term)}`
  const { rows } = await sql<Estimate>`
    with named as materialized (
      select u.id from users u where ${isNamed('u.name_folded', [term])} and u.erased_at is null
    )
    select array(select id from named limit ${MOST_WRITERS}) as writers, sampled.* from (${sampled}) sampled`.execute(
    db,
  )
  return rows[0] ?? { writers: [], found: 0 }
}

/** Maximum number of matches to look up by trigrams; fetching more takes too long. */
const MOST_LOOKED_UP = 20_000

/** True if trigrams can't find the term, or find too many comments. */
function isWalked(term: string, { found }: Estimate): boolean {
  return isShort(term) || (found * 100) / SAMPLE > MOST_LOOKED_UP
}

/** Number of the newest comments to scan in that case. It is smaller for one label, whose rows are scattered. */
const LOOKED_THROUGH = 50_000
const LOOKED_THROUGH_OF_LABEL = 20_000

/**
 * Searches in one of two ways. If the sample found few comments, all matches are looked up by the trigram index.
 * If it found many, or the term is too short for trigrams, the newest 50,000 comments (20,000 of one label or
 * language) are scanned along an index until enough are found, and `cut` is true if there may be more. Comments of
 * people whose name matches are added to both.
 */
export function searchedHits(filter: Filter, term: string, estimated: Estimate): Hits {
  const { label, language } = filter
  const walked = isWalked(term, estimated)
  const of = sql<boolean>`${there} and ${inLanguage(language)} and ${hasLabel(walked ? label : undefined)}`
  const least = sql.lit(
    label === undefined && language === undefined ? LOOKED_THROUGH : LOOKED_THROUGH_OF_LABEL,
  )
  const found = walked
    ? sql`
      select m.id, m.prediction from (
        select m.id, m.prediction, m.text_folded from comments m where ${of} ${newestFirst} limit ${least}
      ) m where ${standsIn(term)} ${newestFirst} limit ${BEYOND_CAP}`
    : sql`select m.id, m.prediction from comments m where ${of} and ${contains('m.text_folded', term, 'looked up')}`
  const byWriter = sql`
    select m.id, m.prediction from comments m where ${of} and m.user_id = any(${estimated.writers}::uuid[])
    ${newestFirst} limit ${BEYOND_CAP}`
  const hits = estimated.writers.length === 0 ? found : sql`(${found}) union (${byWriter})`
  const cut = walked
    ? sql<boolean>`case when count(*) >= ${BEYOND_CAP} then true
        else (select count(*) from (select 1 from comments m where ${of} limit ${least}) looked) = ${least} end`
    : sql<boolean>`false`
  return {
    parts: sql`hits as materialized (${hits}), ${countsOfHits(cut)}`,
    page: sql`select m.id, null::timestamptz as at from hits m where ${hasLabel(label)} ${newestFirst}`,
    gathered: true,
    only: walked ? (label ?? 'ALL') : null,
    replanned: true,
  }
}

/** A condition that is evaluated row by row, without an index. */
function standsIn(term: string): RawBuilder<boolean> {
  return sql`strpos(m.text_folded, ${term}) > 0`
}

/** Comments that administrators deleted and can restore, newest deletion first. */
export function deletedHits(
  { label, language }: Filter,
  term: string,
  { writers }: Estimate,
  now: Date,
): Hits {
  const found =
    term === '' ? sql`true` : sql`(${standsIn(term)} or m.user_id = any(${writers}::uuid[]))`
  return {
    parts: sql`hits as materialized (
      select m.id, m.prediction, m.deleted_at as at
      from comments m join lessons l on l.id = m.lesson_id and ${isReadable('l')}
      where m.deleted_by <> m.user_id and m.deleted_at > ${undoableSince(now)} and ${inLanguage(language)} and ${found}
      order by m.deleted_at desc, m.id desc limit ${BEYOND_CAP}
    ), ${countsOfHits(sql`false`)}`,
    page: sql`select m.id, m.at from hits m where ${hasLabel(label)} order by m.at desc, m.id desc`,
    gathered: true,
    only: null,
    replanned: false,
  }
}
