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
import type { Storage } from '#server/files/storage.ts'
import { jobKind, type JobHandler } from '#server/jobs/job.ts'
import { addJobLater } from '#server/jobs/queue.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { forgetWriter } from '#server/mail/forgetting.ts'
import { PERSONAL_DATA } from '#server/personal.ts'
import { eraseItems } from '#server/removal/erased-items.ts'

const OfPerson = z.object({ userId: z.string() })
/** Erases what hangs on a closed account. */
export const FINISH_ERASURE = jobKind('eraseRest', OfPerson)

/** Items that are gone with the answer; those beyond it go within moments. */
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
  password: string,
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
 * What does FINISH_ERASURE: the items go first, then what each folder declares in its `personal.ts`. Safe to repeat, and
 * to run twice at once.
 */
export function createEraser(
  db: Db,
  storage: Storage,
  clock: Clock,
): JobHandler<z.output<typeof OfPerson>> {
  return async ({ userId }) => {
    if (!(await isErased(db, userId))) return
    await eraseItems(db, userId, clock.now())
    for (const { erase } of PERSONAL_DATA) await erase?.({ db, storage }, userId)
  }
}
