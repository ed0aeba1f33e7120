/** Pages of all comments by opinion, language and search, with counts for the chips. */
import { sql } from 'kysely'
import { foldTerm } from '#contract/fold.ts'
import type { CommentCounts, ModeratedComment, ModerationQuery } from '#contract/comments.ts'
import { EXACT_TOTAL, LAST_PAGE, ROWS_PER_PAGE } from '#contract/limits.ts'
import {
  deskColumns,
  deskJoins,
  toModerated,
  type DeskRow,
} from '#server/items/comments/desk-rows.ts'
import {
  deletedHits,
  plainHits,
  searchedHits,
  estimate,
  type Hits,
} from '#server/items/comments/desk-search.ts'
import { CUSTOM_PLAN, type Db } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { isReadable } from '#server/items/shared/entitlement.ts'
import { labelCounts } from '#server/people/moderation/label-counts.ts'

export interface DeskPage {
  readonly comments: ModeratedComment[]
  readonly total: number
  readonly more: boolean
  readonly pages: number
  readonly labels: CommentCounts
}

/** A search collects matches only as far as they are counted. Without a search, pages go beyond that. */
const LAST_FOUND_PAGE = EXACT_TOTAL / ROWS_PER_PAGE

type Counted = Readonly<Record<keyof CommentCounts, number | null>> & { readonly cut: boolean }

/** Reads a page of `size` comments, empty beyond the last page. */
export async function listForDesk(
  { db, now }: { db: Db; now: Date },
  viewer: Viewer,
  query: ModerationQuery,
  { page, size = ROWS_PER_PAGE }: { page: number; size?: number },
): Promise<DeskPage> {
  const hits = await chooseHits(db, query, now)
  const last = hits.gathered ? LAST_FOUND_PAGE : LAST_PAGE
  const offset = (Math.min(page, last + 1) - 1) * ROWS_PER_PAGE
  const slice = sql`limit ${sql.lit(page > last ? 0 : size)} offset ${offset}`
  const { rows } = await sql<
    (DeskRow | { id: null }) & Counted
  >`${hits.replanned ? CUSTOM_PLAN : sql``}
    with ${hits.parts}, page as materialized (${hits.page} ${slice})
    select cards.*, counts.* from counts left join (
      select page.at, ${deskColumns} from page join comments m on m.id = page.id ${deskJoins}
      join lessons l on l.id = m.lesson_id and ${isReadable('l')}
    ) cards on true
    order by cards.at desc nulls last, cards.id desc`.execute(db)
  const found = rows[0]?.[query.label ?? 'ALL'] ?? 0
  const total = Math.min(found, EXACT_TOTAL)
  const more = found > EXACT_TOTAL || rows[0]?.cut === true
  return {
    comments: rows.filter((row) => row.id !== null).map((row) => toModerated(row, viewer)),
    total,
    more,
    pages: more && !hits.gathered ? last : Math.max(1, Math.ceil(total / ROWS_PER_PAGE)),
    labels: toCounts(rows[0], hits),
  }
}

/** Reads a page for the desk itself. Beyond the last page it is the last one. */
export async function browseComments(
  needs: { db: Db; now: Date },
  viewer: Viewer,
  query: ModerationQuery,
): Promise<DeskPage & { page: number }> {
  const page = query.page ?? 1
  const shown = await listForDesk(needs, viewer, query, { page })
  if (page <= shown.pages) return { ...shown, page }
  return { ...(await listForDesk(needs, viewer, query, { page: shown.pages })), page: shown.pages }
}

async function chooseHits(db: Db, query: ModerationQuery, now: Date): Promise<Hits> {
  const term = foldTerm(query.search)
  if (query.deleted) return deletedHits(query, term, await estimate(db, term), now)
  if (term === '') return plainHits(query)
  return searchedHits(query, term, await estimate(db, term))
}

function toCounts(row: Counted | undefined, { only }: Hits): CommentCounts {
  return labelCounts((label) => {
    const isSure = only === null || (only === label && row?.cut === false)
    return isSure ? (row?.[label] ?? 0) : null
  })
}
