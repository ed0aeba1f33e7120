import { dispatchEvents } from '#server/platform/events/dispatching.ts'
import { isAnythingDue } from '#server/platform/events/outbox.ts'
import type { App } from '#server/app.ts'
import { listSubscribers } from '#server/work.ts'

/** Passes on everything that happened. */
export async function settleAll({
  app,
}: {
  readonly app: Pick<App, 'core' | 'database'>
}): Promise<void> {
  do await dispatchEvents(app.core, listSubscribers(app.core))
  while (await isAnythingDue(app.database.db, app.core.clock.now()))
}
