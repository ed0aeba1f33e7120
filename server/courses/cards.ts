/** Cards: the columns, joins and mapping that every list of courses shares. */
import { sql } from 'kysely'
import type { CourseCard } from '#contract/courses.schemas.ts'
import { TAGS } from '#contract/limits.ts'
import { pictureUrl } from '#server/files/pictures.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { shownPerson } from '#server/accounts/answer.ts'

/** What the statements below give for each course. */
export interface CourseCardRow {
  readonly id: number
  readonly title: string
  readonly description: string
  /** The first ones of its lessons, each once. */
  readonly tags: string[]
  /** Ids, in order. */
  readonly lessons: number[]
  /** Key of the picture; null for a generated one. */
  readonly picture: string | null
  readonly owner_id: string
  readonly owner_name: string
  readonly owner_picture: string | null
  readonly likes: number
  readonly comments: number
  readonly price: number
  readonly created_at: Date
  readonly bought: boolean
  readonly liked: boolean
}

/** In the order of the lessons, and of the tags within each. */
const firstTags = sql`
  array(
    select label.tag
    from course_lessons held join lesson_contents inside on inside.lesson_id = held.lesson_id,
      unnest(inside.tags) with ordinality label (tag, place)
    where held.course_id = k.id
    group by label.tag order by min(array[held.position, label.place]) limit ${sql.lit(TAGS.max)}
  )`

/** Needs `k` (courses) and the joins of `courseCardJoins`. */
export const courseCardColumns = sql`
  k.id, c.title, c.description, ${firstTags} as tags,
  array(select held.lesson_id from course_lessons held where held.course_id = k.id order by held.position) as lessons,
  cp.key as picture, k.owner_id, u.username as owner_name, up.key as owner_picture,
  k.likes, k.comments, k.price, k.created_at, b.user_id is not null as bought, f.user_id is not null as liked`

/** Joins to `k` (courses) what a card shows besides; `viewerId` null: a guest. */
export function courseCardJoins(viewerId: string | null) {
  return sql`
    join course_contents c on c.course_id = k.id
    join users u on u.id = k.owner_id
    left join pictures cp on cp.id = c.picture_id
    left join pictures up on up.id = u.picture_id
    left join course_purchases b on b.course_id = k.id and b.user_id = ${viewerId}::uuid
    left join course_likes f on f.course_id = k.id and f.user_id = ${viewerId}::uuid`
}

/** The part of a card that details show as well. */
export function toCourseBase(row: CourseCardRow) {
  const owner = shownPerson(row.owner_id, row.owner_name, row.owner_picture)
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    thumbnail:
      row.picture === null ? `/art/cover/course-${row.id}.svg` : pictureUrl(row.picture, 640),
    tags: row.tags,
    owner: owner.id,
    ownerName: owner.userName,
    ownerImage: owner.imageUrl,
    likes: row.likes,
    price: row.price,
    date: row.created_at.toISOString(),
  }
}

/** A card; what is the viewer's own stands only on those of the signed-in. */
export function toCourseCard(row: CourseCardRow, viewer: Viewer | null): CourseCard {
  const card = { ...toCourseBase(row), comments: row.comments, lessons: row.lessons }
  return viewer === null ? card : { ...card, bought: row.bought, liked: row.liked }
}
