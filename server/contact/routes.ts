/** Letters to owners and reports of problems. */
import { mail } from '#contract/mail.schemas.ts'
import { finishBug, listBugs } from '#server/contact/bugs.ts'
import { sendLetter, type SendingNeeds } from '#server/contact/sending.ts'
import { route, type Route } from '#server/kernel/call.ts'
import { createTurns } from '#server/kernel/queues/turns.ts'

export function contactRoutes(needs: Omit<SendingNeeds, 'inTurn'>): Route[] {
  const { db, clock } = needs
  const sending = { ...needs, inTurn: createTurns() }
  return [
    route(mail.send, async ({ viewer, address }, letter) => {
      await sendLetter(sending, { viewer, address }, letter)
      return {}
    }),
    route(mail.bugs, (_, { page = 1, done }) => listBugs(db, done, page)),
    route(mail.finishBug, ({ viewer }, { id, done }) =>
      finishBug(db, { id, done, by: viewer.id, at: clock.now() }),
    ),
  ]
}
