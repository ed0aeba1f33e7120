/** Lets agents act day by day, and measures what became of the points. */
import { randomFrom } from '#contract/random.ts'
import type { Agent, Kind } from './agent.ts'
import { churner } from './kinds/churner.ts'
import { copier } from './kinds/copier.ts'
import { occasional } from './kinds/occasional.ts'
import { paraphraser } from './kinds/paraphraser.ts'
import { prolific } from './kinds/prolific.ts'
import { quiet } from './kinds/quiet.ts'
import { rater } from './kinds/rater.ts'
import { returner } from './kinds/returner.ts'
import { ring } from './kinds/ring.ts'
import type { State, World } from './world.ts'

const FARMERS: readonly Kind[] = [copier, paraphraser, ring, churner, returner, rater]
export const KINDS: readonly Kind[] = [occasional, prolific, ...FARMERS, quiet]

/** A tenth is there on the first day, the others join evenly over the time. */
const FIRST = 0.1
/** A small simulation has this many farmers of each kind, because a ring needs several. */
const FEWEST = 2

export interface Size {
  readonly seed: number
  readonly agents: number
  readonly days: number
}

/** Nobody has joined yet. */
export function begin({ seed, agents, days }: Size): State {
  const random = randomFrom(`agents ${seed}`)
  const kinds = KINDS.slice(0, -1).flatMap(({ name, of10000, farms }) => {
    const count = Math.round((of10000 * agents) / 10_000)
    return Array.from({ length: farms.length === 0 ? count : Math.max(FEWEST, count) }, () => name)
  })
  const everybody = [
    ...kinds,
    ...Array.from({ length: Math.max(0, agents - kinds.length) }, () => quiet.name),
  ]
  return {
    day: -1,
    items: [],
    copies: [],
    agents: everybody.map((kind, place): Agent => ({
      place,
      kind,
      joins: random() < FIRST ? 0 : Math.floor(random() * days),
      id: '',
      lessons: [],
      loose: [],
      unlocked: [],
      firstUnlock: null,
      wishes: 0,
      met: 0,
      memory: {},
    })),
  }
}

/** Simulates the next day. Returns the number of acts. */
export async function liveDay(world: World, seed: number): Promise<number> {
  const day = world.state.day + 1
  world.beginDay(day)
  for (const agent of world.state.agents) {
    if (agent.joins > day) continue
    if (agent.joins === day) await world.join(agent)
    const kind = KINDS.find(({ name }) => name === agent.kind)
    await kind?.act(agent, world, randomFrom(`${seed} ${day} ${agent.place}`))
  }
  await world.endDay()
  return world.acts
}
