import { flags } from '#contract/flags.ts'
import { LETTERS_AT_ONCE } from '#contract/limits.ts'
import { closeFlag } from '#server/items/flags/close.ts'
import { findFlag, listFlags } from '#server/items/flags/list.ts'
import { findSubject } from '#server/items/flags/subjects.ts'
import { insertFlag } from '#server/items/flags/store.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { notFound, Refusal } from '#server/kernel/errors.ts'
import { Queue } from '#server/kernel/limits/queue.ts'

const DAY_SECONDS = 24 * 60 * 60

export function routes({ db, clock }: Core): Route[] {
  const queue = new Queue(LETTERS_AT_ONCE)
  return [
    route(flags.create, async ({ viewer }, { kind, id, text }) => {
      if (!(await findSubject(db, kind, id, viewer.id))) throw notFound('flagSubjectGone')
      const report = { reporterId: viewer.id, kind, subjectId: id, text, at: clock.now() }
      const flag = await queue.run(viewer.id, () => insertFlag(db, report))
      if (flag === null) throw new Refusal(429, 'tooManyRequests', { retryAfter: DAY_SECONDS })
      return { id: flag }
    }),
    route(flags.list, async (context, { closed, page = 1 }) => {
      const { flags: shown, total } = await listFlags(db, { closed, page })
      context.setHeader('x-total-count', String(total))
      return shown
    }),
    route(flags.close, async ({ viewer }, asked) => {
      await closeFlag({ db, clock }, viewer, asked)
      const flag = await findFlag(db, asked.id)
      if (flag === null) throw notFound()
      return flag
    }),
  ]
}
