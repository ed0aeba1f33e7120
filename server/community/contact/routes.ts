import { LETTERS_AT_ONCE } from '#contract/limits.ts'
import { mail } from '#contract/mail.ts'
import { finishBug, listBugs } from '#server/community/contact/bugs.ts'
import { sendLetter } from '#server/community/contact/sending.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { Queue } from '#server/kernel/limits/queue.ts'

export function routes(core: Core): Route[] {
  const { db, clock } = core
  const sending = { ...core, queue: new Queue(LETTERS_AT_ONCE) }
  return [
    route(mail.send, async ({ viewer, address }, letter) => {
      await sendLetter(sending, { viewer, address }, letter)
      return {}
    }),
    route(mail.bugs, (_, { page = 1, done, search }) => listBugs(db, { done, page, search })),
    route(mail.finishBug, ({ viewer }, { id, done }) =>
      finishBug(db, { id, done, by: viewer.id, at: clock.now() }),
    ),
  ]
}
