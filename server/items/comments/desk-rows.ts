import { sql } from 'kysely'
import { CommentLanguage, Prediction, type ModeratedComment } from '#contract/comments.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { notFound } from '#server/kernel/errors.ts'
import {
  commentColumns,
  commentJoins,
  toComment,
  type CommentRow,
} from '#server/items/lessons/comments.ts'

export interface DeskRow extends CommentRow {
  readonly prediction: string | null
  readonly confidence: number | null
  readonly language: string | null
  readonly why: string[] | null
  readonly model: string | null
  readonly suspended: boolean
  readonly deleted_at: Date | null
  readonly deleted_by_name: string | null
}

/** They need `m` (comments) and the joins of `deskJoins`. */
export const deskColumns = sql`${commentColumns}, m.prediction, m.confidence, m.language, m.why, m.model,
  writer.suspended_at is not null as suspended, m.deleted_at, deleter.username as deleted_by_name`

/** Joins the lesson, the writer and the deleter to `m` (comments). */
export const deskJoins = sql`${commentJoins} left join users deleter on deleter.id = m.deleted_by`

export function toModerated(row: DeskRow, viewer: Viewer): ModeratedComment {
  const prediction = Prediction.safeParse(row.prediction)
  const language = CommentLanguage.safeParse(row.language)
  return {
    ...toComment(row, viewer),
    prediction: prediction.success ? prediction.data : null,
    confidence: row.confidence,
    language: language.success ? language.data : null,
    why: row.why ?? [],
    model: row.model,
    suspended: row.suspended,
    deleted:
      row.deleted_at === null
        ? null
        : { date: row.deleted_at.toISOString(), userName: row.deleted_by_name ?? '' },
  }
}

/** @throws Refusal 404 when it doesn't exist */
export async function readModerated(db: Db, viewer: Viewer, id: number): Promise<ModeratedComment> {
  const { rows } = await sql<DeskRow>`
    select ${deskColumns} from comments m ${deskJoins}
    where m.id = ${id} and m.deleted_at is null`.execute(db)
  if (rows[0] === undefined) throw notFound('commentNotFound')
  return toModerated(rows[0], viewer)
}
