/** Letters to owners and reports of problems. */
import { mail } from '#contract/mail.ts'
import { finishBug, listBugs } from '#server/contact/bugs.ts'
import { sendLetter, type SendingNeeds } from '#server/contact/sending.ts'
import { route, type Route } from '#server/kernel/call.ts'

export function contactRoutes(needs: SendingNeeds): Route[] {
  const { db, clock } = needs
  return [
    route(mail.send, async ({ viewer, address }, letter) => {
      await sendLetter(needs, { viewer, address }, letter)
      return {}
    }),
    route(mail.bugs, (_, { page = 1, done }) => listBugs(db, done, page)),
    route(mail.finishBug, ({ viewer }, { id, done }) =>
      finishBug(db, { id, done, by: viewer.id, at: clock.now() }),
    ),
  ]
}
