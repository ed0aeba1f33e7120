/** Decisions that their person can appeal against. */
import { sql } from 'kysely'
import { APPEALABLE, type Act, type AppealableAction } from '#contract/appeals.ts'
import { APPEAL_DAYS } from '#contract/limits.ts'
import { APPEALABLE_REASONS } from '#contract/points.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export interface AppealableAct {
  /** Its id in the log, or null if it was automated. */
  readonly logId: number | null
  /** The lesson whose reward is missing, for automated decisions. */
  readonly lessonId: number | null
  readonly action: AppealableAction
  readonly personId: string
  /** The administrator who decided, or null. */
  readonly actorId: string | null
  readonly subjectId: string | null
  readonly subject: string | null
  readonly reason: string | null
  readonly at: Date
  /** True if a missing reward was paid since. */
  readonly isReversed: boolean
}

/** Returns null for decisions that don't exist any more or can't be appealed. `id` is an `ActId`. */
export async function findAct(db: DbOrTx, id: string): Promise<AppealableAct | null> {
  const [kind, number] = id.split('-')
  const { rows } = await (
    kind === 'act' ? inLog(Number(number)) : missingReward(Number(number))
  ).execute(db)
  return rows[0] ?? null
}

const inLog = (id: number) => sql<AppealableAct>`
  select id as "logId", null as "lessonId", action, person_id as "personId", actor_id as "actorId",
    subject_id as "subjectId", subject, reason, created_at as at, false as "isReversed"
  from moderation_log
  where id = ${id} and person_id is not null and action = any(${[...APPEALABLE]}::text[])`

/** Condition on `e` (point_entries): neither a report nor a deletion took the reward. */
export const isAutomated = sql<boolean>`e.occurrence not like 'report %' and e.occurrence not like 'removal %'`

/** Finds the last decision against the reward of a living lesson. */
const missingReward = (lessonId: number) => sql<AppealableAct>`
  select null as "logId", l.id as "lessonId", e.reason as action, l.owner_id as "personId", null as "actorId",
    l.id::text as "subjectId", e.item_title as subject, null as reason, e.created_at as at,
    exists (select from lesson_rewards r where r.lesson_id = l.id) as "isReversed"
  from lessons l
  join lateral (
    select * from point_entries e
    where e.user_id = l.owner_id and e.reason in ('rewardWithheld', 'rewardWithdrawn')
      and e.item_kind = 'lesson' and e.item_id = l.id and ${isAutomated}
    order by e.id desc limit 1
  ) e on e.reason = 'rewardWithdrawn' or e.note = any(${[...APPEALABLE_REASONS]}::text[])
  where l.id = ${lessonId} and l.deleted_at is null`

export function toAct(act: Omit<AppealableAct, 'isReversed'>): Act {
  const { logId, lessonId, action, actorId, subject, reason, at } = act
  return {
    id: logId === null ? `reward-${lessonId ?? 0}` : `act-${logId}`,
    action,
    automated: actorId === null,
    subject,
    reason,
    date: at.toISOString(),
    until: appealableUntil(at).toISOString(),
  }
}

export function appealableUntil(at: Date): Date {
  return new Date(at.getTime() + APPEAL_DAYS * DAY_MS)
}
