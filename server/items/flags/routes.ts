import { flags } from '#contract/flags.ts'
import { LETTERS_AT_ONCE } from '#contract/limits.ts'
import { compareLessons, decideClaim, findClaimable } from '#server/items/flags/claims.ts'
import { closeFlag } from '#server/items/flags/close.ts'
import { findFlag, listFlags } from '#server/items/flags/list.ts'
import { findSubject } from '#server/items/flags/subjects.ts'
import { insertFlag, type NewFlag } from '#server/items/flags/store.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { notFound, Refusal } from '#server/kernel/errors.ts'
import { lessonRef } from '#server/platform/events/catalogue.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { Queue } from '#server/kernel/limits/queue.ts'

const DAY_SECONDS = 24 * 60 * 60

export function routes({ db, clock, events }: Core): Route[] {
  const queue = new Queue(LETTERS_AT_ONCE)
  const insertReport = async (report: NewFlag) => {
    const id = await queue.run(report.reporterId, () => insertFlag(db, report))
    if (id === null) throw new Refusal(429, 'tooManyRequests', { retryAfter: DAY_SECONDS })
    return { id }
  }
  const requireFlag = async (id: number) => {
    const flag = await findFlag(db, id)
    if (flag === null) throw notFound()
    return flag
  }
  return [
    route(flags.create, async ({ viewer }, { kind, id, text }) => {
      if (!(await findSubject(db, kind, id, viewer.id))) throw notFound('flagSubjectGone')
      return insertReport({ reporterId: viewer.id, kind, subjectId: id, text, at: clock.now() })
    }),
    route(flags.list, async (context, { closed, page = 1, search }) => {
      const { flags: shown, total } = await listFlags(db, { closed, page, search })
      context.setHeader('x-total-count', String(total))
      return shown
    }),
    route(flags.claim, async ({ viewer, locale }, { id }) => {
      const originalId = await findClaimable(db, id, viewer.id)
      if (originalId === null) throw notFound('flagSubjectGone')
      const text = translate(locale, 'claimText')
      const report = { reporterId: viewer.id, kind: 'lesson', subjectId: String(id), text } as const
      return insertReport({ ...report, originalId, at: clock.now() })
    }),
    route(flags.compare, async (_, { id }) => {
      const comparison = await compareLessons(db, id)
      if (comparison === null) throw notFound()
      return comparison
    }),
    route(flags.decide, async ({ viewer }, decision) => {
      const lessonId = await decideClaim({ db, clock }, viewer, decision)
      events.publish({ type: 'items.changed', items: [lessonRef(lessonId)] })
      return requireFlag(decision.id)
    }),
    route(flags.close, async ({ viewer }, asked) => {
      await closeFlag({ db, clock }, viewer, asked)
      return requireFlag(asked.id)
    }),
  ]
}
