/**
 * Where the numbers of cards are stored, and what they count: the server's half of the shelf (contract/numbers.ts).
 * Each stands in a column of the narrow table, because lists walk along an index of it; whoever adds a like or a comment
 * moves the number in the same statement. `counted` counts it again from what it counts, for recount.ts and for tests.
 */
import { sql, type RawBuilder } from 'kysely'
import { numbersOf, type KindOf, type NumberName, type NumberOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.schemas.ts'

interface NumberSource<Kind extends ItemKind> {
  /** Of the narrow table; sorts and bands go by it. */
  readonly column: string
  /** The index that a list walks along when it is sorted by the number. */
  readonly index: Readonly<Record<Kind, string>>
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
}

/** The values of a kind's numbers, as rows and cards have them. */
export type Numbers<Kind extends ItemKind> = Readonly<Record<NumberOf<Kind>, number>>

/** The column of a number, by which lists are sorted and narrowed. */
export function columnOf(name: NumberName): RawBuilder<number> {
  return sql.raw(SOURCES[name].column)
}

/** A kind's numbers as columns of cards, each under its own name; `alias`: of the narrow table. */
export function numberColumns(kind: ItemKind, alias: string): RawBuilder<unknown> {
  return sql.join(
    numbersOf(kind).map((name) => sql.raw(`${alias}.${SOURCES[name].column} as ${name}`)),
  )
}

/** What of a row is named, and no more: the numbers of a card, or those of its details. */
export function pickNumbers<Name extends NumberName>(
  row: Readonly<Record<Name, number>>,
  names: readonly Name[],
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Record<Name, number>
}

/** A stored number, what it is when it is counted again, and the index that sorts by it. */
export interface StoredNumber {
  readonly name: NumberName
  readonly column: string
  readonly index: string
  readonly counted: RawBuilder<number> | null
}

/** Every number of a kind, as it is stored. */
export function storedNumbers(kind: ItemKind): StoredNumber[] {
  return numbersOf(kind).map((name) => {
    const { column, index, counted }: OfAnyKind = SOURCES[name]
    return { name, column, index: index[kind] ?? '', counted: counted[kind] ?? null }
  })
}

/** A source for whoever holds a kind of which the types do not know that it has the number. */
interface OfAnyKind {
  readonly column: string
  readonly index: Partial<Record<ItemKind, string>>
  readonly counted: Partial<Record<ItemKind, RawBuilder<number> | null>>
}
