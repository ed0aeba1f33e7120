/** What tests do with notices. */
import { isAnythingDue, settleNotices } from '#server/notices/settling.ts'
import type { TestApp } from '#server/testing/app.ts'

/** Settles all notices that are due. */
export async function settleAll({ app, clock }: TestApp): Promise<void> {
  do await settleNotices(app.core)
  while (await isAnythingDue(app.database.db, clock.now()))
}
