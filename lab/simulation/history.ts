/** One history: what people do, the order in which the scheduler lets it happen, and the faults. */
import fc from 'fast-check'
import type { ClientConfig } from 'pg'
import { createLog } from '#server/kernel/log.ts'
import { connect, type Connection } from '#server/platform/db/connect.ts'
import { makeSellers } from '#server/testing/learning/sellers.ts'
import { act, type Act, type NodeNeeds, VERBS } from './acts.ts'
import type { Locks } from './locks.ts'
import { check, type Done } from './model.ts'
import { type Choices, type Fault, Scheduler, type Trace } from './scheduler.ts'

export interface Plan {
  /** Percent of a price that the author gets. */
  readonly share: number
  readonly lessonPrice: number
  readonly coursePrice: number
  readonly acts: readonly Act[]
  /** Which of several possible steps comes next. Without more choices, the one that began first. */
  readonly order: readonly number[]
  /** Faults by the number of the request. */
  readonly faults: readonly { readonly at: number; readonly fault: Fault }[]
}

const PEOPLE = 5
const MOST_ACTS = 12
const MOST_REQUESTS = 80

export const plans: fc.Arbitrary<Plan> = fc.record({
  share: fc.constantFrom(0, 10, 33, 50),
  lessonPrice: fc.constantFrom(0, 1, 9, 333, 1900),
  coursePrice: fc.constantFrom(0, 7, 500, 1999),
  acts: fc.array(
    fc.record({
      verb: fc.constantFrom(...VERBS, 'buyLesson' as const, 'buyCourse' as const, 'like' as const),
      who: fc.nat(PEOPLE - 1),
      which: fc.nat(3),
      node: fc.nat(1),
    }),
    { minLength: 2, maxLength: MOST_ACTS, size: 'max' },
  ),
  order: fc.array(fc.nat(11), { maxLength: 200, size: 'max' }),
  faults: fc.array(
    fc.record({
      at: fc.nat(MOST_REQUESTS),
      fault: fc.constantFrom<Fault>('lost', 'unknown', 'unknown', 'death', 'lockTimeout'),
    }),
    { maxLength: 3 },
  ),
})

export interface Result extends Trace {
  /** The rules that don't hold. */
  readonly broken: readonly string[]
}

export interface Stage {
  readonly run: (plan: Plan) => Promise<Result>
  readonly close: () => Promise<void>
}

const NODES = 2
/** Connections of a node. */
const POOL = 4

/** Opens a migrated database for histories, each with people and items of its own. */
export function openStage(settings: ClientConfig, locks: Locks): Stage {
  const log = createLog('silent')
  const direct = connect(settings, log, { size: 1 })
  const scheduler = new Scheduler(locks)
  const start = (name: string) => {
    const stream = () => scheduler.open(name)
    return connect({ ...settings, stream: stream as never }, log, { size: POOL })
  }
  const nodes = Array.from({ length: NODES }, (_, place) => start(`node ${place}`))
  const dead: Connection[] = []
  scheduler.onDeath = (name) => {
    const place = Number(name.at(-1))
    dead.push(...nodes.splice(place, 1, start(name)))
  }
  let number = 0
  return {
    run: async (plan) => {
      number += 1
      await direct.pool.query('delete from events')
      const world = await makeSellers(direct.pool, idsOf(number), plan)
      await Promise.all(nodes.map(openAll))
      let time = Date.UTC(2026, 0, 1)
      const clock = { now: () => new Date((time += 1)) }
      const nodeOf = (place: number): NodeNeeds => {
        const node = nodes[place % NODES]
        if (node === undefined) throw new Error('no node')
        return { db: node.db, clock }
      }
      const done: Done[] = []
      const errors: string[] = []
      const work = plan.acts.map((each, place) => ({
        name: nameOf(each),
        begin: async () => {
          const draftId = `00000000-0000-7000-8000-${String(place).padStart(12, '0')}`
          try {
            const outcomes = await act(nodeOf, world, plan.share, each, draftId)
            done.push({ act: each, outcomes })
            scheduler.tell(`${nameOf(each)}: ${outcomes.join(', ')}`)
          } catch (error) {
            errors.push(`${nameOf(each)} fails: ${String(error)}`)
          }
        },
      }))
      const trace = await scheduler.run(work, choicesOf(plan))
      const broken = [...errors, ...(await check(direct.pool, world, done))]
      if (trace.deadlocks > 0) broken.push('no two acts wait for each other')
      if (trace.standstills > 0) broken.push('no act waits for a connection while it holds one')
      return { ...trace, broken }
    },
    close: async () => {
      scheduler.close()
      await Promise.all([direct, ...nodes, ...dead].map((each) => each.close()))
    },
  }
}

/** New ids for each history, always in the same order, because that decides the order of locks. */
function idsOf(history: number): string[] {
  const start = history.toString(16).padStart(8, '0')
  return Array.from({ length: PEOPLE }, (_, place) => `${start}-0000-7000-8000-00000000000${place}`)
}

/** Every history begins with all connections open, so that it doesn't depend on the one before. */
async function openAll({ pool }: Connection): Promise<void> {
  const clients = await Promise.all(Array.from({ length: POOL }, () => pool.connect()))
  for (const client of clients) client.release()
}

const nameOf = ({ verb, who, which, node }: Act) =>
  `person ${who}: ${verb} ${which} on node ${node}`

function choicesOf({ order, faults }: Plan): Choices {
  let choices = 0
  let requests = 0
  return {
    choose: (count) => (order[choices++] ?? 0) % count,
    fault: () => {
      const place = requests++
      return faults.find(({ at }) => at === place)?.fault ?? null
    },
  }
}
