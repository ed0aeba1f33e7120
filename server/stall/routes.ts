/** The front page of the signed-in over HTTP. */
import { home } from '#contract/home.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'
import { listFresh } from '#server/lessons/recommended/by-taste.ts'
import { readStall } from '#server/stall/store.ts'

/** The one call of a stall. */
export function routes({ reads, clock }: Core): Route[] {
  return [
    route(home.stall, async ({ viewer, locale }) => {
      const from = reads.of(viewer)
      // Two statements side by side: what is new to the person is looked for for longer than all the rest.
      const [stall, fresh] = await Promise.all([
        readStall(from, viewer, clock.now()),
        listFresh(from, viewer, locale),
      ])
      // A free lesson may be begun without being unlocked.
      const begun = new Set(stall.continue.map(({ kind, id }) => `${kind} ${id}`))
      return { ...stall, fresh: fresh.filter(({ card }) => !begun.has(`lesson ${card.id}`)) }
    }),
  ]
}
