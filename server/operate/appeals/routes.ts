import { appeals } from '#contract/appeals.ts'
import { notFound } from '#server/kernel/errors.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { createAppeal, decideAppeal, showAct } from '#server/operate/appeals/appeals.ts'
import { toAct } from '#server/people/moderation/appeals/acts.ts'
import {
  countAppeals,
  findDeskAppeal,
  listAppeals,
} from '#server/people/moderation/appeals/list.ts'
import { toAppeal } from '#server/people/moderation/appeals/store.ts'

export function routes(core: Core): Route[] {
  const { db, reads, clock, events } = core
  return [
    route(appeals.show, async ({ viewer }, given) => {
      const { act, appeal } = await showAct(db, viewer, given.act)
      return { act: toAct(act), appeal: appeal && toAppeal(appeal) }
    }),
    route(appeals.create, async ({ viewer }, given) =>
      toAppeal(await createAppeal(core, viewer, given)),
    ),
    route(appeals.all, async (context, { decided, page = 1, search }) => {
      const { appeals: shown, total } = await listAppeals(db, { decided, page, search })
      context.setHeader('x-total-count', String(total))
      return shown
    }),
    route(appeals.decide, async ({ viewer }, decision) => {
      const items = await decideAppeal(core, viewer, decision)
      if (items.length > 0) {
        events.publish({ type: 'items.changed', items: [...items] })
        events.publish({ type: 'items.counted', items: [...items] })
      }
      const shown = await findDeskAppeal(db, decision.id)
      if (shown === null) throw notFound('appealNotFound')
      return shown
    }),
    route(appeals.figures, async ({ viewer }) => ({
      rows: await countAppeals(reads.of(viewer), clock.now()),
    })),
  ]
}
