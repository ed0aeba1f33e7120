/** The whole list of lessons, batch after batch. */
import { sql } from 'kysely'
import { lessons, type LessonQuery } from '#contract/lessons.ts'
import { EXACT_TOTAL } from '#contract/limits.ts'
import { PLANNED_AFRESH, type Db } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { readInBatches, wholeList, type WholeList } from '#server/kernel/whole-lists.ts'
import { cardColumns, cardJoins, toCard, type CardRow } from '#server/lessons/cards.ts'
import { conditionsOf, orderOf } from '#server/lessons/search.ts'

const BATCH = 500

/** `GET /api/lesson/all` without a page. */
export function allLessons(db: Db): WholeList {
  return wholeList(lessons.all, {
    isLong: (query) => isLong(db, query),
    readBatches: (query, viewer) => readCards(db, query, viewer),
  })
}

async function* readCards(db: Db, query: LessonQuery, viewer: Viewer | null) {
  const batches = readInBatches<CardRow>(BATCH, (after) => readBatch(db, query, viewer, after))
  for await (const rows of batches) yield rows.map((row) => toCard(row, viewer))
}

async function readBatch(
  db: Db,
  query: LessonQuery,
  viewer: Viewer | null,
  after: CardRow | undefined,
): Promise<CardRow[]> {
  const { rows } = await sql<CardRow>`${PLANNED_AFRESH}
    with page as materialized (
      select l.id from lessons l where ${conditionsOf(query, 'looked up')}${beyond(query, after)}
      order by ${orderOf(query.sort, 'l')} limit ${sql.lit(BATCH)}
    )
    select ${cardColumns} from page join lessons l on l.id = page.id ${cardJoins(viewer?.id ?? null)}
    order by ${orderOf(query.sort, 'l')}`.execute(db)
  return rows
}

function beyond({ sort }: LessonQuery, after: CardRow | undefined) {
  if (after === undefined) return sql``
  if (sort === 'none') return sql` and l.id < ${after.id}`
  return sql` and (l.${sql.raw(sort)}, l.id) < (${after[sort]}, ${after.id})`
}

async function isLong(db: Db, query: LessonQuery): Promise<boolean> {
  const { rows } = await sql<{ found: number }>`${PLANNED_AFRESH}
    select count(*) as found from (select 1 from lessons l where ${conditionsOf(query, 'looked up')} limit ${sql.lit(EXACT_TOTAL + 1)}) counted`.execute(
    db,
  )
  return (rows[0]?.found ?? 0) > EXACT_TOTAL
}
