/** What people whom somebody follows published last, in one statement. */
import { sql, type RawBuilder } from 'kysely'
import type { FollowedItem } from '#contract/home.schemas.ts'
import { CAROUSEL_ITEMS } from '#contract/limits.ts'
import {
  courseCardColumns,
  courseCardJoins,
  toCourseCard,
  type CourseCardRow,
} from '#server/courses/cards.ts'
import { compileOnce } from '#server/db/compiled.ts'
import type { Db } from '#server/db/connect.ts'
import { itemsOf } from '#server/items/tables.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { cardColumns, cardJoins, toCard, type CardRow } from '#server/lessons/cards.ts'

/** A row as JSON carries it. */
type InJson<Row extends { created_at: Date }> = Omit<Row, 'created_at'> & { created_at: string }

interface Row {
  readonly lessons: readonly InJson<CardRow>[]
  readonly courses: readonly InJson<CourseCardRow>[]
}

/**
 * Up to 8 lessons and courses, the newest first. Of each of the people, 500 at most, the newest few are looked at along
 * `lessons_owner` and its twin, so that it costs the same however much they have published.
 */
export async function listNewOfFollowed(db: Db, viewer: Viewer): Promise<FollowedItem[]> {
  const [row] = await newest(db, { viewerId: viewer.id })
  const lessons = (row?.lessons ?? []).map((card): FollowedItem => ({
    kind: 'lesson',
    card: toCard(revived(card), viewer),
  }))
  const courses = (row?.courses ?? []).map((card): FollowedItem => ({
    kind: 'course',
    card: toCourseCard(revived(card), viewer),
  }))
  const dateOf = ({ card }: FollowedItem) => Date.parse(card.date)
  return [...lessons, ...courses]
    .toSorted((one, other) => dateOf(other) - dateOf(one))
    .slice(0, CAROUSEL_ITEMS)
}

const newest = compileOnce<{ viewerId: string }, Row>(['viewerId'], (db, { viewerId }) =>
  sql<Row>`
    select (
      select coalesce(json_agg(card), '[]') from (
        select ${cardColumns} from (${newestOf('lesson', viewerId)}) page
        join lessons l on l.id = page.id ${cardJoins(viewerId)}
      ) card
    ) as lessons, (
      select coalesce(json_agg(card), '[]') from (
        select ${courseCardColumns} from (${newestOf('course', viewerId)}) page
        join courses k on k.id = page.id ${courseCardJoins(viewerId)}
      ) card
    ) as courses`.compile(db),
)

function newestOf(kind: 'lesson' | 'course', viewerId: string): RawBuilder<unknown> {
  const most = sql.lit(CAROUSEL_ITEMS)
  return sql`
    select theirs.id from follows f, lateral (
      select i.id from ${itemsOf(kind)} where i.owner_id = f.author_id and i.deleted_at is null
      order by i.id desc limit ${most}
    ) theirs
    where f.follower_id = ${viewerId} order by theirs.id desc limit ${most}`
}

function revived<Card extends { created_at: string }>(card: Card) {
  return { ...card, created_at: new Date(card.created_at) }
}
