import { economy } from '#contract/economy.ts'
import { readEconomy } from '#server/operate/economy/reading.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'

export function routes({ db }: Core): Route[] {
  return [route(economy.show, () => readEconomy(db))]
}
