import type { Db } from '#server/platform/db/connect.ts'
import { closeFlags, reopenFlag, type ChangedFlag } from '#server/items/flags/store.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { logAct } from '#server/people/moderation/log.ts'

/**
 * Closing a report closes all open reports of the same thing; reopening affects only one. Reports already in that
 * state don't change. Each change is logged.
 */
export async function closeFlag(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  viewer: Viewer,
  { id, closed }: { readonly id: number; readonly closed: boolean },
): Promise<void> {
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    const reopened = closed ? null : await reopenFlag(tx, id)
    const moved: ChangedFlag[] = closed
      ? await closeFlags(tx, id, { by: viewer.id, at })
      : reopened === null
        ? []
        : [reopened]
    for (const flag of moved)
      await logAct(tx, {
        actorId: viewer.id,
        action: closed ? 'flagClosed' : 'flagReopened',
        subjectId: flag.id,
        subject: flag.text,
        personId: flag.reporterId,
        at,
      })
  })
}
