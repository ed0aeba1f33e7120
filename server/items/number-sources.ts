/**
 * Where the numbers of cards are stored, and what they count: the server's half of the shelf (contract/numbers.ts).
 * Each stands in a column of the narrow table, because lists walk along an index of it; whoever adds a like or a comment
 * moves the number in the same statement. `counted` counts it again from what it counts, for recount.ts and for tests.
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
import { rankOf } from '#server/items/rating-sums.ts'

interface NumberSource<Kind extends ItemKind> {
  /** Of the narrow table; sorts and bands go by it. */
  readonly column: string
  /** What cards show, of the row of this alias, where that is not the column itself. */
  readonly shown?: (alias: string) => RawBuilder<unknown>
  /** The index that a list walks along when it is sorted by the number. */
  readonly index: Readonly<Partial<Record<Kind, string>>>
  /** The number of the item `i`, counted again; null where what was counted is not stored. */
  readonly counted: Readonly<Record<Kind, RawBuilder<number> | null>>
}

const SOURCES: { readonly [Name in NumberName]: NumberSource<KindOf<Name>> } = {
  views: {
    column: 'views',
    index: { lesson: 'lessons_by_views' },
    // Who looked is forgotten after a day.
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

/** What is stored beside the numbers, and counted again with them: the sum of the stars, of which averages are formed. */
const STARS_COLUMN = { name: 'stars', column: 'rating_stars', index: '' } as const
const STARS: Readonly<Record<ItemKind, RawBuilder<number>>> = {
  lesson: sql`(select coalesce(sum(r.stars), 0) from ratings r where r.lesson_id = i.id and r.deleted_at is null)`,
  course: sql`(select coalesce(sum(r.stars), 0) from ratings r where r.course_id = i.id and r.deleted_at is null)`,
}

/** The values of a kind's numbers, as rows and cards have them. */
export type Numbers<Kind extends ItemKind> = {
  readonly [Name in NumberOf<Kind>]: ValueOf<Name>
}

/** The column of a number, by which lists are sorted and narrowed. */
export function columnOf(name: NumberName): RawBuilder<number> {
  return sql.raw(SOURCES[name].column)
}

/** By which field of a card's row it is compared with others where a list is sorted by this number. */
export function sortedField(name: NumberName): SortedField {
  return SORTED_FIELDS.find((field) => field === SOURCES[name].column) ?? name
}

/** Columns that lists are sorted by and that are no number of cards themselves. */
const SORTED_FIELDS = ['rating_rank'] as const
type SortedField = NumberName | (typeof SORTED_FIELDS)[number]
/** What rows have of them, which cards leave out. */
export type SortedFields = Readonly<Record<(typeof SORTED_FIELDS)[number], number>>

/** A kind's numbers as columns of cards, each under its own name; `alias`: of the narrow table. */
export function numberColumns(kind: ItemKind, alias: string): RawBuilder<unknown> {
  return sql.join(
    numbersOf(kind).map((name) => {
      const { column, shown }: OfAnyKind = SOURCES[name]
      return sql`${shown?.(alias) ?? sql.raw(`${alias}.${column}`)} as ${sql.raw(name)}`
    }),
  )
}

/** What lists are sorted by besides, as columns of rows. */
export function sortedColumns(alias: string): RawBuilder<unknown> {
  return sql.join(SORTED_FIELDS.map((field) => sql.raw(`${alias}.${field}`)))
}

/** What of a row is named, and no more: the numbers of a card, or those of its details. */
export function pickNumbers<Name extends NumberName>(
  row: { readonly [Each in Name]: ValueOf<Each> },
  names: readonly Name[],
): { [Each in Name]: ValueOf<Each> } {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as {
    [Each in Name]: ValueOf<Each>
  }
}

/** A stored number, what it is when it is counted again, and the index that sorts by it. */
export interface StoredNumber {
  readonly name: string
  readonly column: string
  /** Empty: no list is sorted by it. */
  readonly index: string
  readonly counted: RawBuilder<number> | null
}

/** Every number of a kind, as it is stored. */
export function storedNumbers(kind: ItemKind): StoredNumber[] {
  const numbers = numbersOf(kind).map((name): StoredNumber => {
    const { column, index, counted }: OfAnyKind = SOURCES[name]
    return { name, column, index: index[kind] ?? '', counted: counted[kind] ?? null }
  })
  return [...numbers, { ...STARS_COLUMN, counted: STARS[kind] }]
}

/** A source for whoever holds a kind of which the types do not know that it has the number. */
interface OfAnyKind {
  readonly column: string
  readonly shown?: (alias: string) => RawBuilder<unknown>
  readonly index: Partial<Record<ItemKind, string>>
  readonly counted: Partial<Record<ItemKind, RawBuilder<number> | null>>
}
