import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import type { CardSource, ItemRow } from '#server/items/shared/listing.ts'
import { itemsOf, TABLES } from '#server/items/shared/tables.ts'
import type { Viewer } from '#server/kernel/call.ts'

/** Maximum number per kind. */
const MOST = 200

/** Lists liked items that still exist, newest like first. */
export async function listLiked<Row extends ItemRow, Card>(
  db: Db,
  source: CardSource<Row, Card>,
  viewer: Viewer,
): Promise<Card[]> {
  const { likes, id } = TABLES[source.kind]
  const { rows } = await sql<Row>`
    with page as materialized (
      select i.id, liked.created_at as at
      from ${sql.raw(likes)} liked join ${itemsOf(source.kind)} on i.id = liked.${sql.raw(id)} and i.deleted_at is null
      where liked.user_id = ${viewer.id}
      order by liked.created_at desc, liked.${sql.raw(id)} desc limit ${sql.lit(MOST)}
    )
    select cards.* from (
      select page.at, ${source.columns} from page ${source.joinPage(viewer.id)}
    ) cards order by cards.at desc, cards.id desc`.execute(db)
  return rows.map((row) => source.toCard(row, viewer))
}
