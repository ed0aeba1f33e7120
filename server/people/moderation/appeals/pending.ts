import { sql, type RawBuilder } from 'kysely'
import type { AppealableAction } from '#contract/appeals.ts'
import { undoableSince } from '#server/people/moderation/undo.ts'

/**
 * Selects what these decisions were about, as texts, if an appeal against them is open or was decided within the undo
 * period. Until then, what the appeal may restore is stored.
 */
export const pendingSubjects = (
  actions: readonly AppealableAction[],
  now: Date,
): RawBuilder<unknown> => sql`
  select m.subject_id from appeals a join moderation_log m on m.id = a.act_id
  where m.action = any(${[...actions]}::text[]) and m.subject_id is not null
    and (a.decided_at is null or a.decided_at > ${undoableSince(now)})`
