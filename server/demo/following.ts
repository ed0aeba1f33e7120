import type { Db } from '#server/platform/db/connect.ts'
import { followed } from '#server/demo/content/follows.ts'
import { follow } from '#server/items/follows/follows.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Dates each follow in the past. Idempotent. `viewerOf` finds a demo person by name. */
export async function followPeople(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  viewerOf: (username: string) => Viewer,
): Promise<void> {
  for (const { by, author, daysAgo } of followed) {
    const at = new Date(clock.now().getTime() - daysAgo * DAY_MS)
    await follow({ db, clock: { now: () => at } }, viewerOf(by), viewerOf(author).id)
  }
}
