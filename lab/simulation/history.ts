/** One history: what people do, the order in which the scheduler lets it happen, and the faults. */
import fc from 'fast-check'
import type { ClientConfig } from 'pg'
import { WEBHOOK_EVENTS } from '#contract/webhooks.ts'
import { createLog } from '#server/kernel/log.ts'
import { Event, KINDS } from '#server/platform/events/catalogue.ts'
import { makeSellers } from '#server/testing/learning/sellers.ts'
import { act, type Act, VERBS } from './acts.ts'
import { drain } from './jobs.ts'
import type { Locks } from './locks.ts'
import { check, type Done, readViews } from './model.ts'
import { type Node, openNode } from './node.ts'
import { type Choices, type Fault, FAULTS, Scheduler, type Trace } from './scheduler.ts'

export interface Plan {
  /** Percent of a price that the author gets. */
  readonly share: number
  readonly lessonPrice: number
  readonly coursePrice: number
  /** Of each person at the beginning. */
  readonly points: number
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
  points: fc.constantFrom(3000, 0),
  acts: fc.array(
    fc.record({
      verb: fc.constantFrom(...VERBS, 'buyLesson' as const, 'buyCourse' as const, 'like' as const),
      who: fc.nat(PEOPLE - 1),
      which: fc.nat(3),
      node: fc.nat(1),
    }),
    { minLength: 1, maxLength: MOST_ACTS, size: 'max' },
  ),
  order: fc.array(fc.nat(11), { maxLength: 200, size: 'max' }),
  faults: fc.array(
    fc.record({
      at: fc.nat(MOST_REQUESTS),
      fault: fc.constantFrom<Fault>(...FAULTS),
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
const START = Date.UTC(2026, 0, 1, 12)
const DAY_MS = 24 * 60 * 60 * 1000

/** Opens a migrated database for histories, each with people and items of its own. */
export async function openStage(
  connection: ClientConfig,
  { locks, dataDir }: { readonly locks: Locks; readonly dataDir: string },
): Promise<Stage> {
  const log = createLog('silent')
  const scheduler = new Scheduler(locks)
  let time = START
  let share = 0
  const clocks = new Map<string, number>()
  const now = (name: string) => new Date((time += 1) + (clocks.get(name) ?? 0))
  const common = { size: POOL, dataDir, log, share: () => share }
  /** It is not simulated: it prepares histories and ends them. */
  const outside = await openNode({
    ...common,
    name: 'outside',
    connection,
    now: () => new Date(time + DAY_MS),
  })
  const start = (name: string) => {
    const stream = () => scheduler.open(name)
    return openNode({
      ...common,
      name,
      connection: { ...connection, stream: stream as never },
      now: () => now(name),
    })
  }
  const nodes = await Promise.all(
    Array.from({ length: NODES }, (_, place) => start(`node ${place}`)),
  )
  const dead: Node[] = []
  const join = (node: Node) =>
    node.core.events.subscribe((event, origin) => {
      if (origin === 'elsewhere' || !KINDS[event.type].sent || dead.includes(node)) return
      const text = JSON.stringify(event)
      for (const { name } of nodes.filter((each) => each !== node)) {
        const deliver = () =>
          nodes
            .find((each) => each.name === name)
            ?.core.events.receive(Event.parse(JSON.parse(text)))
        scheduler.post({ label: `${event.type} to ${name}`, node: name, deliver })
      }
    })
  for (const node of [...nodes, outside]) join(node)
  scheduler.onDeath = async (name) => {
    const node = await start(name)
    dead.push(...nodes.splice(Number(name.at(-1)), 1, node))
    join(node)
  }
  scheduler.onClock = (name, ms) => void clocks.set(name, ms)
  await insertEndpoint(outside)
  const nodeOf = (place: number): Node => {
    const node = nodes[place % NODES]
    if (node === undefined) throw new Error('no node')
    return node
  }
  let number = 0
  return {
    run: async (plan) => {
      number += 1
      time = START
      share = plan.share
      clocks.clear()
      const { pool } = outside.database
      await pool.query(CLEAR)
      const made = await makeSellers(pool, idsOf(number), plan)
      const world = { ...made, lessons: [...made.lessons], comments: [] }
      await pool.query(WANT_MAILS, [world.people.map(({ id }) => id)])
      await Promise.all(nodes.map(openAll))
      const done: Done[] = []
      const errors: string[] = []
      const work = plan.acts.map((each, place) => ({
        name: nameOf(each),
        begin: async () => {
          const draftId = `00000000-0000-7000-8000-${String(place).padStart(12, '0')}`
          try {
            const outcomes = await act(nodeOf, world, each, draftId)
            done.push({ act: each, outcomes })
            scheduler.tell(`${nameOf(each)}: ${outcomes.join(', ')}`)
          } catch (error) {
            errors.push(`${nameOf(each)} fails: ${String(error)}`)
          }
        },
      }))
      const trace = await scheduler.run(work, choicesOf(plan))
      const broken = [...errors]
      if (!(await drain(outside))) broken.push('jobs and events come to an end')
      broken.push(...(await check(pool, world, done)))
      if (trace.deadlocks > 0) broken.push('no two acts wait for each other')
      if (trace.standstills > 0) broken.push('no act waits for a connection while it holds one')
      // Answers that nodes may still give although a message was lost have expired after a day.
      if (trace.lostMessages > 0) time += DAY_MS
      const seen = new Set(
        plan.acts.filter(({ verb }) => verb === 'view').map(({ which }) => which),
      )
      const held = await readViews(outside, world, [...seen])
      // Delivers the messages of the drained jobs.
      await scheduler.run([], UNDISTURBED)
      const views = nodes.map((node) => ({
        name: `views of ${node.name}`,
        begin: async () => {
          if ((await readViews(node, world, [...seen])) !== held)
            broken.push('all nodes show a lesson as the database holds it')
        },
      }))
      if (seen.size > 0) await scheduler.run(views, UNDISTURBED)
      return { ...trace, broken }
    },
    close: async () => {
      scheduler.close()
      await Promise.all([outside, ...nodes, ...dead].map((each) => each.close()))
    },
  }
}

/** Removes what the history before has left for all. */
const CLEAR = `
  delete from events; delete from webhook_events; delete from trusted_shares; delete from lesson_fingerprints; delete from graphile_worker._private_jobs;
  delete from graphile_worker._private_job_queues`

/** Every person wants a mail for each sale. */
const WANT_MAILS = `
  with confirmed as (
    update users set email_confirmed_at = created_at where id = any($1)
  )
  insert into notice_choices (user_id, kind, shown, mail) select id, 'sold', true, 'once' from unnest($1::uuid[]) id`

/** Registers a program that wants all events. */
async function insertEndpoint({ database }: Node): Promise<void> {
  const [id = ''] = idsOf(0)
  await makeSellers(database.pool, [id], { lessonPrice: 0, coursePrice: 0, points: 0 })
  await database.pool.query(
    `insert into webhook_endpoints (url, host, description, events, sealed_secret, enabled, created_by, created_at)
    values ('https://program.example', 'program.example', '', $1, '', true, $2, 'epoch')`,
    [[...WEBHOOK_EVENTS], id],
  )
}

/** New ids for each history, always in the same order, because that decides the order of locks. */
function idsOf(history: number): string[] {
  const start = history.toString(16).padStart(8, '0')
  return Array.from({ length: PEOPLE }, (_, place) => `${start}-0000-7000-8000-00000000000${place}`)
}

/** Every history begins with all connections open, so that it doesn't depend on the one before. */
async function openAll({ database: { pool } }: Node): Promise<void> {
  const clients = await Promise.all(Array.from({ length: POOL }, () => pool.connect()))
  for (const client of clients) client.release()
}

const nameOf = ({ verb, who, which, node }: Act) =>
  `person ${who}: ${verb} ${which} on node ${node}`

const UNDISTURBED: Choices = { choose: () => 0, fault: () => null }

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
