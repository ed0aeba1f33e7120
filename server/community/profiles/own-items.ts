/** Parts of statements that read a page of what a person published, as cards. */
import { sql, type RawBuilder } from 'kysely'
import type { CourseCard } from '#contract/courses.ts'
import type { LessonCard } from '#contract/lessons.ts'
import { LAST_PAGE, ROWS_PER_PAGE } from '#contract/limits.ts'
import {
  courseCardColumns,
  courseCardJoins,
  toCourseCard,
  type CourseCardRow,
} from '#server/items/courses/cards.ts'
import { cardColumns, cardJoins, toCard, type CardRow } from '#server/items/lessons/cards.ts'
import type { Viewer } from '#server/kernel/call.ts'

/** A row as JSON contains it. */
type InJson<Row extends { created_at: Date }> = Omit<Row, 'created_at'> & { created_at: string }

export interface OwnItemRows {
  readonly own_lessons: InJson<CardRow>[]
  readonly own_courses: InJson<CourseCardRow>[]
}

export function toCards(
  row: OwnItemRows,
  viewer: Viewer | null,
): { ownLessons: LessonCard[]; ownCourses: CourseCard[] } {
  return {
    ownLessons: row.own_lessons.map((card) => toCard(withDates(card), viewer)),
    ownCourses: row.own_courses.map((card) => toCourseCard(withDates(card), viewer)),
  }
}

function withDates<Row extends { created_at: string }>(row: Row) {
  return { ...row, created_at: new Date(row.created_at) }
}

/** Clamps the page number so that the offset stays bounded. */
export const clampPage = (page = 1): number => Math.min(page, LAST_PAGE + 1)

/** Returns the number of rows on the previous pages. */
export const offsetOf = (page?: number): number => (clampPage(page) - 1) * ROWS_PER_PAGE

const limitOffset = (skipped: number) => sql`limit ${sql.lit(ROWS_PER_PAGE)} offset ${skipped}`

export function lessonsOf(
  viewerId: string | null,
  ownerId: string,
  skipped: number,
): RawBuilder<unknown> {
  return sql`(
    select coalesce(json_agg(card order by card.id desc), '[]') from (
      select ${cardColumns} from (
        select * from lessons where owner_id = ${ownerId} and deleted_at is null order by id desc ${limitOffset(skipped)}
      ) l ${cardJoins(viewerId)}
    ) card
  )`
}

export function coursesOf(
  viewerId: string | null,
  ownerId: string,
  skipped: number,
): RawBuilder<unknown> {
  return sql`(
    select coalesce(json_agg(card order by card.id desc), '[]') from (
      select ${courseCardColumns} from (
        select * from courses where owner_id = ${ownerId} and deleted_at is null order by id desc ${limitOffset(skipped)}
      ) k ${courseCardJoins(viewerId)}
    ) card
  )`
}
