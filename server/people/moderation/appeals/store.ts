/** The only module that writes the table of appeals. */
import { sql } from 'kysely'
import type { Appeal } from '#contract/appeals.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import type { AppealableAct } from '#server/people/moderation/appeals/acts.ts'

export interface StoredAppeal {
  readonly id: number
  readonly userId: string
  readonly actId: number | null
  readonly lessonId: number | null
  readonly text: string
  readonly createdAt: Date
  readonly decidedAt: Date | null
  readonly granted: boolean | null
  readonly answer: string | null
}

const columns = sql`id, user_id as "userId", act_id as "actId", lesson_id as "lessonId", text,
  created_at as "createdAt", decided_at as "decidedAt", granted, answer`

/** An appeal about the reward of a lesson is about the last decision before it. */
export async function findAppeal(
  db: DbOrTx,
  { logId, lessonId, personId, at }: AppealableAct,
): Promise<StoredAppeal | null> {
  const { rows } = await sql<StoredAppeal>`
    select ${columns} from appeals
    where act_id = ${logId} or (user_id = ${personId} and lesson_id = ${lessonId} and created_at >= ${at})`.execute(
    db,
  )
  return rows[0] ?? null
}

export async function insertAppeal(
  tx: Tx,
  { logId, lessonId, personId }: AppealableAct,
  { text, at }: { readonly text: string; readonly at: Date },
): Promise<StoredAppeal> {
  const { rows } = await sql<StoredAppeal>`
    insert into appeals (user_id, act_id, lesson_id, text, created_at)
    values (${personId}, ${logId}, ${lessonId}, ${text}, ${at}) returning ${columns}`.execute(tx)
  const [stored] = rows
  if (stored === undefined) throw new Error('an appeal was not inserted')
  return stored
}

export async function lockAppeal(tx: Tx, id: number): Promise<StoredAppeal | null> {
  const { rows } = await sql<StoredAppeal>`
    select ${columns} from appeals where id = ${id} for update`.execute(tx)
  return rows[0] ?? null
}

export async function settleAppeal(
  tx: Tx,
  id: number,
  decision: {
    readonly granted: boolean
    readonly by: string
    readonly at: Date
    readonly answer: string
  },
): Promise<void> {
  const { granted, by, at, answer } = decision
  await sql`
    update appeals set granted = ${granted}, decided_by = ${by}, decided_at = ${at}, answer = ${answer}
    where id = ${id}`.execute(tx)
}

/** Withdraws the open appeals of a person, and removes the words of the others. */
export async function forgetAppeals(db: DbOrTx, userId: string): Promise<void> {
  await sql`delete from appeals where user_id = ${userId} and decided_at is null`.execute(db)
  await sql`update appeals set text = '–', answer = null where user_id = ${userId} and text <> '–'`.execute(
    db,
  )
}

export function toAppeal(appeal: StoredAppeal): Appeal {
  const { id, text, createdAt, decidedAt, granted, answer } = appeal
  return {
    id,
    text,
    date: createdAt.toISOString(),
    decided:
      decidedAt === null || granted === null
        ? null
        : { date: decidedAt.toISOString(), granted, text: answer ?? '' },
  }
}

/** Returns the id of an act as calls take it. */
export const actIdOf = ({ actId, lessonId }: Pick<StoredAppeal, 'actId' | 'lessonId'>): string =>
  actId === null ? `reward-${lessonId ?? 0}` : `act-${actId}`
