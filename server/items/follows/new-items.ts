/** The newest items of followed people, as a part of the front page's statement. */
import { sql, type RawBuilder } from 'kysely'
import type { FollowedItem } from '#contract/home.ts'
import { CAROUSEL_ITEMS } from '#contract/limits.ts'
import {
  courseCardColumns,
  courseCardJoins,
  toCourseCard,
  type CourseCardRow,
} from '#server/items/courses/cards.ts'
import { outOfJson, type InJson } from '#server/items/shared/cards.ts'
import { itemsOf } from '#server/items/shared/tables.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { cardColumns, cardJoins, toCard, type CardRow } from '#server/items/lessons/cards.ts'

export interface NewOfFollowed {
  readonly lessons: readonly InJson<CardRow>[]
  readonly courses: readonly InJson<CourseCardRow>[]
}

/**
 * Returns an SQL fragment that gives a JSON object, `NewOfFollowed`. For each of at most 500 people it reads only
 * their newest items with the index `lessons_owner` and its equivalent for courses, so that the cost doesn't
 * depend on how much they have published.
 */
export function newOfFollowedBy(viewerId: string): RawBuilder<NewOfFollowed> {
  return sql<NewOfFollowed>`json_build_object('lessons', (
      select coalesce(json_agg(card), '[]') from (
        select ${cardColumns} from (${newestOf('lesson', viewerId)}) page
        join lessons l on l.id = page.id ${cardJoins(viewerId)}
      ) card
    ), 'courses', (
      select coalesce(json_agg(card), '[]') from (
        select ${courseCardColumns} from (${newestOf('course', viewerId)}) page
        join courses k on k.id = page.id ${courseCardJoins(viewerId)}
      ) card
    ))`
}

/** Returns up to 8 items of both kinds, newest first. */
export function toFollowed(found: NewOfFollowed, viewer: Viewer): FollowedItem[] {
  const lessons = found.lessons.map((card): FollowedItem => ({
    kind: 'lesson',
    card: toCard(outOfJson(card), viewer),
  }))
  const courses = found.courses.map((card): FollowedItem => ({
    kind: 'course',
    card: toCourseCard(outOfJson(card), viewer),
  }))
  const dateOf = ({ card }: FollowedItem) => Date.parse(card.date)
  return [...lessons, ...courses]
    .toSorted((one, other) => dateOf(other) - dateOf(one))
    .slice(0, CAROUSEL_ITEMS)
}

function newestOf(kind: 'lesson' | 'course', viewerId: string): RawBuilder<unknown> {
  const most = sql.lit(CAROUSEL_ITEMS)
  return sql`
    select theirs.id from follows f, lateral (
      select i.id from ${itemsOf(kind)} where i.owner_id = f.author_id and i.deleted_at is null
      order by i.id desc limit ${most}
    ) theirs
    where f.follower_id = ${viewerId} order by theirs.id desc limit ${most}`
}
