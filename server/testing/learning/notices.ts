import { isAnythingDue, settleNotices } from '#server/community/notices/settling.ts'
import type { TestApp } from '#server/testing/app.ts'

export async function settleAll({ app, clock }: TestApp): Promise<void> {
  do await settleNotices(app.core)
  while (await isAnythingDue(app.database.db, clock.now()))
}
