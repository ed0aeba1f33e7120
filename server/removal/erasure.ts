/** The verb eraseAccount: the account ends at once, what hangs on it by a job that can be interrupted anywhere. */
import * as z from 'zod/mini'
import {
  closeAccount,
  isErased,
  requirePassword,
  type ClosedAccount,
} from '#server/accounts/erasure.ts'
import type { Throttle } from '#server/accounts/throttle.ts'
import type { Db } from '#server/db/connect.ts'
import { jobKind, type JobHandler } from '#server/jobs/job.ts'
import { addJobLater } from '#server/jobs/queue.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Core } from '#server/kernel/core.ts'
import { forgetWriter } from '#server/mail/forgetting.ts'
import { PERSONAL_DATA } from '#server/personal.ts'
import { eraseItems } from '#server/removal/erased-items.ts'

const OfPerson = z.object({ userId: z.string() })
/** Erases what hangs on a closed account. */
export const FINISH_ERASURE = jobKind('eraseRest', OfPerson)

/** Items that are gone with the answer; those beyond it go within moments, so many after another. */
const AT_ONCE = 50
/** What a request under way has written after the job was through is found by a second look. */
const LOOK_AGAIN_MS = 5 * 60 * 1000

export interface ErasureNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly throttle: Throttle
}

/**
 * Erases the viewer's account. Name and address are free for others, and nothing of it can be taken back.
 * @throws Refusal 400 at the password, 401 when it is erased already, 409 for the last administrator, 429
 */
export async function eraseAccount(
  needs: ErasureNeeds,
  viewer: Viewer,
  password: string | undefined,
): Promise<void> {
  const { db, clock } = needs
  const hash = await requirePassword(needs, viewer, password)
  const now = clock.now()
  const userId = viewer.id
  await db.transaction().execute(async (tx) => {
    const { addresses }: ClosedAccount = await closeAccount(tx, viewer, hash, now)
    await forgetWriter(tx, { userId, addresses })
    const payload = { userId }
    await addJobLater(tx, FINISH_ERASURE, payload, { key: `erase ${userId}` })
    const again = new Date(now.getTime() + LOOK_AGAIN_MS)
    await addJobLater(tx, FINISH_ERASURE, payload, { key: `erase ${userId} again`, runAt: again })
  })
  // The account is closed whatever becomes of this: the job goes on with it.
  await eraseItems(db, userId, now, AT_ONCE).catch(() => undefined)
}

/**
 * What does FINISH_ERASURE: the items go first, then what each folder declares in its `personal.ts`. Publishes what is
 * gone. Safe to repeat, and to run twice at once.
 */
export function createEraser({
  db,
  storage,
  clock,
  changes,
}: Pick<Core, 'db' | 'storage' | 'clock' | 'changes'>): JobHandler<z.output<typeof OfPerson>> {
  return async ({ userId }) => {
    if (!(await isErased(db, userId))) return
    // Of many items the first are gone long before the last: guests see each part of them go.
    for (let isDone = false; !isDone;) {
      isDone = await eraseItems(db, userId, clock.now(), AT_ONCE)
      changes.publish({ kind: 'personErased', userId })
    }
    for (const { erase } of PERSONAL_DATA) await erase?.({ db, storage }, userId)
  }
}
