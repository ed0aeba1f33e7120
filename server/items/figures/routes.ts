import { figures, FIGURES_A_MINUTE } from '#contract/figures.ts'
import { route, type Route } from '#server/kernel/call.ts'
import { createRate } from '#server/kernel/limits/rates.ts'
import type { Core } from '#server/platform/core/core.ts'
import { readFigures, readItemFigures } from '#server/items/figures/reading.ts'

export function routes({ reads, config }: Core): Route[] {
  const own = createRate(FIGURES_A_MINUTE.person, config)
  const all = createRate(FIGURES_A_MINUTE.all, config)
  const count = (person: string) => {
    own.count(person)
    all.count('all')
  }
  return [
    route(figures.show, ({ viewer }, query) => {
      count(viewer.id)
      return readFigures(reads.of(viewer), viewer.id, query)
    }),
    route(figures.item, ({ viewer }, asked) => {
      count(viewer.id)
      return readItemFigures(reads.of(viewer), viewer, asked)
    }),
  ]
}
