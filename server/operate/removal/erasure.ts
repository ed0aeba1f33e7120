/** Closes an account immediately. A job that can be interrupted anywhere erases the data that belongs to it. */
import * as z from 'zod/mini'
import {
  closeAccount,
  isErased,
  requirePassword,
  type ClosedAccount,
} from '#server/people/accounts/erasure.ts'
import type { Throttle } from '#server/people/accounts/throttle.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { jobKind, type JobHandler } from '#server/platform/jobs/job.ts'
import { addJobLater } from '#server/platform/jobs/queue.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Core } from '#server/platform/core/core.ts'
import { forgetWriter } from '#server/platform/mail/forgetting.ts'
import { PERSONAL_DATA } from '#server/operate/exports/personal-data.ts'
import { eraseItems } from '#server/operate/removal/erased-items.ts'

const OfPerson = z.object({ userId: z.string() })
/** Erases the data of a closed account. */
export const FINISH_ERASURE = jobKind('eraseRest', OfPerson)

/** Number of items deleted before the call returns, and per later batch. */
const AT_ONCE = 50
/** A second job after this time removes what requests in progress wrote after the first one. */
const LOOK_AGAIN_MS = 5 * 60 * 1000

export interface ErasureNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly throttle: Throttle
}

/**
 * Erases the viewer's account for good. Its name and address become available to others.
 * @throws Refusal 400 at the password, 401 when it is already erased, 409 for the last administrator, 429
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
  // If this fails, the job continues, because the account is already closed.
  await eraseItems(db, userId, now, AT_ONCE).catch(() => undefined)
}

/**
 * Runs FINISH_ERASURE: deletes the items first, then what each folder declares in its `personal.ts`, and announces
 * the changes. Idempotent, and may run concurrently.
 */
export function createEraser({
  db,
  storage,
  clock,
  events,
}: Pick<Core, 'db' | 'storage' | 'clock' | 'events'>): JobHandler<z.output<typeof OfPerson>> {
  return async ({ userId }) => {
    if (!(await isErased(db, userId))) return
    // Announces each batch, so that guests see the first items disappear long before the last.
    for (let isDone = false; !isDone;) {
      isDone = await eraseItems(db, userId, clock.now(), AT_ONCE)
      events.publish({ type: 'user.erased', userId })
    }
    for (const { erase } of PERSONAL_DATA) await erase?.({ db, storage }, userId)
  }
}
