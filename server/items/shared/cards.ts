/** Columns, joins and fields that the cards of both kinds share. Each kind's folder adds its own. */
import { sql, type RawBuilder } from 'kysely'
import type { ItemLanguage } from '#contract/items.ts'
import { detailsOf, numbersOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.ts'
import { shownPerson } from '#server/people/accounts/answer.ts'
import { coverOf } from '#server/items/shared/cover.ts'
import {
  numberColumns,
  pickNumbers,
  sortedColumns,
  type Numbers,
  type SortedFields,
} from '#server/items/shared/number-sources.ts'
import { TABLES } from '#server/items/shared/tables.ts'
import type { Viewer } from '#server/kernel/call.ts'

/** The result of a statement with the columns and joins below. */
export type SharedCardRow<Kind extends ItemKind> = Numbers<Kind> &
  SortedFields & {
    readonly id: number
    readonly title: string
    readonly description: string
    readonly tags: string[]
    readonly language: ItemLanguage | null
    /** The key of the picture; null for a generated cover. */
    readonly picture: string | null
    readonly owner_id: string
    readonly owner_name: string
    readonly owner_picture: string | null
    readonly price: number
    readonly created_at: Date
    readonly bought: boolean
    readonly liked: boolean
  }

/** A card's row as JSON represents it. */
export type InJson<Row extends { readonly created_at: Date }> = Omit<Row, 'created_at'> & {
  readonly created_at: string
}

/** Converts a card's row from JSON. */
export function outOfJson<Row extends { readonly created_at: string }>(row: Row) {
  return { ...row, created_at: new Date(row.created_at) }
}

/** Selects a card's columns except its tags. Needs the narrow table's alias and `sharedCardJoins`. */
export function sharedCardColumns(kind: ItemKind): RawBuilder<unknown> {
  const { alias } = TABLES[kind]
  const item = sql.raw(alias)
  return sql`
  ${item}.id, c.title, c.description, nullif(c.language, 'none') as language, cover.key as picture,
  ${item}.owner_id, u.username as owner_name, face.key as owner_picture, ${numberColumns(kind, alias)}, ${sortedColumns(alias)},
  ${item}.price, ${item}.created_at, sale.user_id is not null as bought, liking.user_id is not null as liked`
}

/**
 * Joins the other tables of a card to a kind's narrow table. `viewerId` is null for guests. The viewer's purchase
 * and like are looked up for each card, so their total number doesn't matter.
 */
export function sharedCardJoins(kind: ItemKind, viewerId: string | null): RawBuilder<unknown> {
  const { alias, contents, id, purchases, likes } = TABLES[kind]
  const item = sql.raw(alias)
  const key = sql.raw(id)
  const viewers = (table: string) =>
    // Guests have a statement of their own, because PostgreSQL would plan a shared one at every call: a custom
    // plan for a null id leaves these joins out and therefore looks cheaper than the generic plan.
    viewerId === null
      ? sql`left join (select null::uuid as user_id)`
      : sql`left join lateral (
      select own.user_id from ${sql.raw(table)} own
      where own.${key} = ${item}.id and own.user_id = ${viewerId}::uuid limit 1
    )`
  return sql`
    join ${sql.raw(contents)} c on c.${key} = ${item}.id
    join users u on u.id = ${item}.owner_id
    left join pictures cover on cover.id = c.picture_id
    left join pictures face on face.id = u.picture_id
    ${viewers(purchases)} sale on true
    ${viewers(likes)} liking on true`
}

/** The fields that cards and details share, without the numbers. */
function toFields(kind: ItemKind, row: SharedCardRow<never>) {
  const owner = shownPerson(row.owner_id, row.owner_name, row.owner_picture)
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    thumbnail: coverOf(kind, row.id, row.picture),
    tags: row.tags,
    language: row.language,
    owner: owner.id,
    ownerName: owner.userName,
    ownerImage: owner.imageUrl,
    price: row.price,
    date: row.created_at.toISOString(),
  }
}

/** The fields of an item's details that cards show too. */
export function toDetails<Kind extends ItemKind>(kind: Kind, row: SharedCardRow<Kind>) {
  return { ...toFields(kind, row), ...pickNumbers(row, detailsOf(kind)) }
}

/** The fields that the cards of both kinds share. Only signed-in viewers get fields about themselves. */
export function toSharedCard<Kind extends ItemKind>(
  kind: Kind,
  row: SharedCardRow<Kind>,
  viewer: Viewer | null,
) {
  const card = { ...toFields(kind, row), ...pickNumbers(row, numbersOf(kind)) }
  return viewer === null ? card : { ...card, bought: row.bought, liked: row.liked }
}
