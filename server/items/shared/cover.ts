/** An item's cover is the picture that its owner chose, or else is drawn from its id. */
import { sql } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { releasePicture } from '#server/platform/files/picture-life.ts'
import { pictureUrl } from '#server/platform/files/pictures.ts'
import { TABLES } from '#server/items/shared/tables.ts'

/** @param key the picture's key; null for a drawn cover */
export function coverOf(
  kind: ItemKind,
  id: number | string,
  key: string | null,
  width: 320 | 640 = 640,
): string {
  if (key !== null) return pictureUrl(key, width)
  return kind === 'lesson' ? `/art/cover/${id}.svg` : `/art/shelf/course-${id}.svg`
}

/** Removes the picture of a locked item, so that its cover is drawn. */
export async function takeCover(tx: Tx, kind: ItemKind, id: number): Promise<void> {
  const { contents, id: key } = TABLES[kind]
  const { rows } = await sql<{ picture: number }>`
    with shown as (select picture_id from ${sql.table(contents)} where ${sql.ref(key)} = ${id})
    update ${sql.table(contents)} c set picture_id = null from shown
    where c.${sql.ref(key)} = ${id} and shown.picture_id is not null returning shown.picture_id as picture`.execute(
    tx,
  )
  for (const { picture } of rows) await releasePicture(tx, picture)
}
