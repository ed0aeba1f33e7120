/** SQL of reports; the only place that writes their table. */
import { sql } from 'kysely'
import type { FlagKind } from '#contract/flags.ts'
import type { Db } from '#server/db/connect.ts'

/** Reports of one person a day. */
const MOST_A_DAY = 20
const DAY_MS = 24 * 60 * 60 * 1000

export interface NewFlag {
  readonly reporterId: string
  readonly kind: FlagKind
  readonly subjectId: string
  readonly text: string
  readonly at: Date
}

/** Its id; null when the person has reported too much today. */
export async function insertFlag(db: Db, flag: NewFlag): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into flags (reporter_id, kind, subject_id, text, created_at)
    select ${flag.reporterId}::uuid, ${flag.kind}, ${flag.subjectId}, ${flag.text}, ${flag.at}::timestamptz
    where (select count(*) from flags
      where reporter_id = ${flag.reporterId} and created_at > ${new Date(flag.at.getTime() - DAY_MS)}) < ${MOST_A_DAY}
    returning id`.execute(db)
  return rows[0]?.id ?? null
}
