/** Cards: the columns, joins and mapping that every list of lessons shares. */
import { sql } from 'kysely'
import type { LessonCard } from '#contract/lessons.schemas.ts'
import { shownPerson } from '#server/accounts/answer.ts'
import { pictureUrl } from '#server/files/pictures.ts'
import type { Viewer } from '#server/kernel/call.ts'

/** What the statements below give for each lesson. */
export interface CardRow {
  readonly id: number
  readonly title: string
  readonly description: string
  readonly tags: string[]
  /** Key of the picture; null for a generated cover. */
  readonly picture: string | null
  readonly owner_id: string
  readonly owner_name: string
  readonly owner_picture: string | null
  readonly likes: number
  readonly views: number
  readonly comments: number
  readonly price: number
  readonly created_at: Date
  readonly bought: boolean
  readonly liked: boolean
}

/** Needs `l` (lessons) and the joins of `cardJoins`. */
export const cardColumns = sql`
  l.id, c.title, c.description, c.tags, lp.key as picture,
  l.owner_id, u.username as owner_name, up.key as owner_picture,
  l.likes, l.views, l.comments, l.price, l.created_at, b.user_id is not null as bought,
  k.user_id is not null as liked`

/** Joins to `l` (lessons) what a card shows besides; `viewerId` null: a guest. */
export function cardJoins(viewerId: string | null) {
  return sql`
    join lesson_contents c on c.lesson_id = l.id
    join users u on u.id = l.owner_id
    left join pictures lp on lp.id = c.picture_id
    left join pictures up on up.id = u.picture_id
    -- looked up card by card, however much the viewer bought and liked
    left join lateral (
      select sale.user_id from lesson_purchases sale
      where sale.lesson_id = l.id and sale.user_id = ${viewerId}::uuid limit 1
    ) b on true
    left join lateral (
      select liking.user_id from lesson_likes liking
      where liking.lesson_id = l.id and liking.user_id = ${viewerId}::uuid limit 1
    ) k on true`
}

/** The part of a card that details show as well. */
export function toBase(row: CardRow) {
  const owner = shownPerson(row.owner_id, row.owner_name, row.owner_picture)
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    thumbnail: row.picture === null ? `/art/cover/${row.id}.svg` : pictureUrl(row.picture, 640),
    tags: row.tags,
    owner: owner.id,
    ownerName: owner.userName,
    ownerImage: owner.imageUrl,
    likes: row.likes,
    views: row.views,
    price: row.price,
    date: row.created_at.toISOString(),
  }
}

/** A card; what is the viewer's own stands only on those of the signed-in. */
export function toCard(row: CardRow, viewer: Viewer | null): LessonCard {
  const card = { ...toBase(row), comments: row.comments }
  return viewer === null ? card : { ...card, bought: row.bought, liked: row.liked }
}
