/**
 * Finds lessons in whose videos the words are spoken, for viewers who may see them. Spoken words are never in the
 * dictionary, so that neither suggestions nor spellings reveal them to others.
 */
import { sql } from 'kysely'
import { CUSTOM_PLAN, type Db } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { stemsOf } from '#server/items/captions/stems.ts'
import { filtersOf, type Asked } from '#server/items/search/candidates.ts'
import {
  isBought,
  isFreePreview,
  isOpenThroughCourse,
  toAsker,
} from '#server/items/shared/entitlement.ts'

/** Captions that the index yields. Words with more are common: then the viewer's lessons are read instead. */
const LOOKED_UP = sql.lit(1000)
/** The newest lessons of each kind of access that are read for common words. */
const READ = sql.lit(200)
const MOST = sql.lit(100)

/** Returns the newest lessons in which all words are spoken, in any form. Only one of the two ways runs. */
export async function findSpoken(
  db: Db,
  viewer: Viewer,
  words: readonly string[],
  narrowed: Pick<Asked, 'tag' | 'free' | 'language'>,
): Promise<number[]> {
  const { administers } = toAsker(viewer)
  const isCommon = sql`(select count(*) from looked) >= ${LOOKED_UP}`
  const has = sql`k.stems @> (select stems from wanted) and (select cardinality(stems) from wanted) > 0`
  const { rows } = await sql<{ id: number }>`${CUSTOM_PLAN}
    with wanted as materialized (select ${stemsOf(words)} as stems),
    looked as materialized (
      select k.lesson_id as id from lesson_captions k where ${has} limit ${LOOKED_UP}
    ), own as materialized (
      (select i.id from lessons i where i.owner_id = ${viewer.id} and i.deleted_at is null order by i.id desc limit ${READ})
      union (select sale.lesson_id from lesson_purchases sale where sale.user_id = ${viewer.id} order by sale.created_at desc, sale.lesson_id desc limit ${READ})
      union (
        select held.lesson_id from (
          select course_id from course_purchases where user_id = ${viewer.id} order by created_at desc, course_id desc limit ${READ}
        ) sale join course_lessons held on held.course_id = sale.course_id limit ${READ}
      )
      union (
        select free_preview from course_contents where free_preview is not null order by free_preview desc limit ${READ}
      )
      union (select k.lesson_id from lesson_captions k where ${administers}::boolean order by k.lesson_id desc limit ${READ})
    ), found as materialized (
      select id from looked where not ${isCommon}
      union
      select own.id from own where ${isCommon} and exists (
        select from lesson_captions k where k.lesson_id = own.id and ${has}
      )
    )
    select l.id from found join lessons l on l.id = found.id join lessons i on i.id = l.id
    where ${filtersOf('lesson', narrowed)} and (${administers}::boolean or l.owner_id = ${viewer.id}
      or ${isBought(viewer.id)} or ${isOpenThroughCourse(viewer.id)} or ${isFreePreview('l')})
    order by l.id desc limit ${MOST}`.execute(db)
  return rows.map(({ id }) => id)
}
