import { home } from '#contract/home.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { listFresh } from '#server/items/lessons/recommended/by-taste.ts'
import { readStall } from '#server/home/store.ts'

export function routes({ reads, clock }: Core): Route[] {
  return [
    route(home.stall, async ({ viewer, locale }) => {
      const from = reads.of(viewer)
      // Two concurrent statements, because finding new lessons takes longer than everything else.
      const [stall, fresh] = await Promise.all([
        readStall(from, viewer, clock.now()),
        listFresh(from, viewer, locale),
      ])
      // A free lesson can be started without an unlock.
      const begun = new Set(stall.continue.map(({ kind, id }) => `${kind} ${id}`))
      return { ...stall, fresh: fresh.filter(({ card }) => !begun.has(`lesson ${card.id}`)) }
    }),
  ]
}
