import { sql } from 'kysely'
import { numbers, type Numbers } from '#contract/desk.ts'
import { listDays } from '#server/operate/economy/reading.ts'
import { route, type Route } from '#server/kernel/call.ts'
import { measureDisk } from '#server/kernel/process/disk.ts'
import { checkParts, type HealthPart } from '#server/kernel/process/health.ts'
import type { Core } from '#server/platform/core/core.ts'

/** In ms. Sizes and parts change slowly, and some checks ask other servers. */
const FRESH_MS = 10_000

type State = Pick<Numbers, 'parts' | 'disk' | 'database'>

export function routes(core: Core & { readonly parts: readonly HealthPart[] }): Route[] {
  const { reads } = core
  let state: { readonly of: Promise<State>; readonly at: number } | null = null
  return [
    route(numbers.show, async ({ viewer }) => {
      if (state === null || performance.now() - state.at > FRESH_MS) {
        state = { of: readState(core), at: performance.now() }
        state.of.catch(() => {
          state = null
        })
      }
      const [days, now] = await Promise.all([listDays(reads.of(viewer)), state.of])
      return { days, ...now }
    }),
  ]
}

async function readState({
  db,
  config,
  parts,
}: Pick<Core, 'db' | 'config'> & { readonly parts: readonly HealthPart[] }): Promise<State> {
  const [states, disk, { rows }] = await Promise.all([
    checkParts(parts),
    measureDisk(config.DATA_DIR),
    sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db),
  ])
  return {
    parts: states.map(({ part: { name, needed }, says }) => ({ name, needed, says })),
    disk,
    database: rows[0]?.bytes ?? 0,
  }
}
