/**
 * Declares where the numbers of contract/numbers.ts are stored and what they count. Each is a column of the narrow
 * table, because lists walk an index on it, and whoever adds a like or a comment updates the number in the same
 * statement. `counted` counts it again, for recount.ts and for tests.
 */
import { sql, type RawBuilder } from 'kysely'
import { RATINGS_SHOWN_FROM } from '#contract/limits.ts'
import {
  numbersOf,
  type KindOf,
  type NumberName,
  type NumberOf,
  type ValueOf,
} from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.ts'
import { rankOf } from '#server/items/shared/rating-sums.ts'

interface NumberSource<Kind extends ItemKind> {
  /** A column of the narrow table, which sorts and bands use. */
  readonly column: string
  /** The displayed value in terms of an alias, if it is not the column itself. */
  readonly shown?: (alias: string) => RawBuilder<unknown>
  /** The index that lists sorted by this number use. */
  readonly index: Readonly<Partial<Record<Kind, string>>>
  /** Counts the number of the item `i` again; null if what it counts is not stored. */
  readonly counted: Readonly<Record<Kind, RawBuilder<number> | null>>
}

const SOURCES: { readonly [Name in NumberName]: NumberSource<KindOf<Name>> } = {
  views: {
    column: 'views',
    index: { lesson: 'lessons_by_views' },
    // Viewers are stored for a day only.
    counted: { lesson: null },
  },
  likes: {
    column: 'likes',
    index: { lesson: 'lessons_by_likes', course: 'courses_by_likes' },
    counted: {
      lesson: sql`(select count(*) from lesson_likes given where given.lesson_id = i.id)`,
      course: sql`(select count(*) from course_likes given where given.course_id = i.id)`,
    },
  },
  comments: {
    column: 'comments',
    index: { lesson: 'lessons_by_comments', course: 'courses_by_comments' },
    counted: {
      lesson: sql`(select count(*) from comments m where m.lesson_id = i.id and m.deleted_at is null)`,
      course: sql`(
        select coalesce(sum(part.comments), 0) from course_lessons held
        join lessons part on part.id = held.lesson_id where held.course_id = i.id
      )`,
    },
  },
  ratings: {
    column: 'ratings',
    index: {},
    counted: {
      lesson: sql`(select count(*) from ratings r where r.lesson_id = i.id and r.deleted_at is null)`,
      course: sql`(select count(*) from ratings r where r.course_id = i.id and r.deleted_at is null)`,
    },
  },
  rating: {
    column: 'rating_rank',
    shown: (alias) => {
      const { ratings, stars } = {
        ratings: sql.ref(`${alias}.ratings`),
        stars: sql.ref(`${alias}.rating_stars`),
      }
      return sql`case when ${ratings} >= ${sql.lit(RATINGS_SHOWN_FROM)}
        then round(${stars}::numeric / ${ratings}, 1)::float8 end`
    },
    index: { lesson: 'lessons_by_rating', course: 'courses_by_rating' },
    counted: {
      lesson: sql`(select ${rankOf('lesson')} from ratings r where r.lesson_id = i.id and r.deleted_at is null)`,
      course: sql`(select ${rankOf('course')} from ratings r where r.course_id = i.id and r.deleted_at is null)`,
    },
  },
}

/** The sum of the stars, from which averages are computed. It is stored and recounted like the numbers. */
const STARS_COLUMN = { name: 'stars', column: 'rating_stars', index: '' } as const
const STARS: Readonly<Record<ItemKind, RawBuilder<number>>> = {
  lesson: sql`(select coalesce(sum(r.stars), 0) from ratings r where r.lesson_id = i.id and r.deleted_at is null)`,
  course: sql`(select coalesce(sum(r.stars), 0) from ratings r where r.course_id = i.id and r.deleted_at is null)`,
}

export type Numbers<Kind extends ItemKind> = {
  readonly [Name in NumberOf<Kind>]: ValueOf<Name>
}

export function columnOf(name: NumberName): RawBuilder<number> {
  return sql.raw(SOURCES[name].column)
}

/** Returns the field of a card's row that has the sort's value. */
export function sortedField(name: NumberName): SortedField {
  return SORTED_FIELDS.find((field) => field === SOURCES[name].column) ?? name
}

/** Columns that lists sort by but cards don't show. */
const SORTED_FIELDS = ['rating_rank'] as const
type SortedField = NumberName | (typeof SORTED_FIELDS)[number]
export type SortedFields = Readonly<Record<(typeof SORTED_FIELDS)[number], number>>

/**
 * Selects a kind's numbers under their names.
 * @param alias the narrow table's alias
 */
export function numberColumns(kind: ItemKind, alias: string): RawBuilder<unknown> {
  return sql.join(
    numbersOf(kind).map((name) => {
      const { column, shown }: OfAnyKind = SOURCES[name]
      return sql`${shown?.(alias) ?? sql.raw(`${alias}.${column}`)} as ${sql.raw(name)}`
    }),
  )
}

/** Selects the columns of SORTED_FIELDS. */
export function sortedColumns(alias: string): RawBuilder<unknown> {
  return sql.join(SORTED_FIELDS.map((field) => sql.raw(`${alias}.${field}`)))
}

export function pickNumbers<Name extends NumberName>(
  row: { readonly [Each in Name]: ValueOf<Each> },
  names: readonly Name[],
): { [Each in Name]: ValueOf<Each> } {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as {
    [Each in Name]: ValueOf<Each>
  }
}

export interface StoredNumber {
  readonly name: string
  readonly column: string
  /** Empty if no list is sorted by it. */
  readonly index: string
  readonly counted: RawBuilder<number> | null
}

export function storedNumbers(kind: ItemKind): StoredNumber[] {
  const numbers = numbersOf(kind).map((name): StoredNumber => {
    const { column, index, counted }: OfAnyKind = SOURCES[name]
    return { name, column, index: index[kind] ?? '', counted: counted[kind] ?? null }
  })
  return [...numbers, { ...STARS_COLUMN, counted: STARS[kind] }]
}

/** A source as seen by code for any kind, which may lack the number. */
interface OfAnyKind {
  readonly column: string
  readonly shown?: (alias: string) => RawBuilder<unknown>
  readonly index: Partial<Record<ItemKind, string>>
  readonly counted: Partial<Record<ItemKind, RawBuilder<number> | null>>
}
