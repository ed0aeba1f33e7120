/** One history: what people do, the order in which the scheduler lets it happen, and the faults. */
import fc from 'fast-check'
import type { ClientConfig } from 'pg'
import { WEBHOOK_EVENTS } from '#contract/webhooks.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { createLog } from '#server/kernel/log.ts'
import { Event, KINDS } from '#server/platform/events/catalogue.ts'
import { makeSellers, rewardSellers } from '#server/testing/learning/sellers.ts'
import { act, type Done } from './acts.ts'
import { choicesOf, type Chosen, type Fault, FAULTS, UNDISTURBED } from './choices.ts'
import { drain } from './jobs.ts'
import type { Locks } from './locks.ts'
import { check, readViews } from './model.ts'
import { type Node, openNode } from './node.ts'
import { Scheduler, type Trace } from './scheduler.ts'
import { type Act, POINT_VERBS, type Verb, VERBS, type World } from './world.ts'

export interface Plan extends Chosen {
  /** Percent of a price that the author gets. */
  readonly share: number
  readonly lessonPrice: number
  readonly coursePrice: number
  /** Of each person at the beginning. */
  readonly points: number
  readonly acts: readonly Act[]
}

const PEOPLE = 5
const PLACES = 4
const MOST_ACTS = 16
const MOST_VERBS = 6
const MOST_REQUESTS = 60

const someOf = (list: readonly Verb[]) =>
  fc.uniqueArray(fc.constantFrom(...list), {
    minLength: 3,
    maxLength: MOST_VERBS - 1,
    size: 'max',
  })

/** Many histories are only about points, many only about the rest. */
const verbs = fc.oneof(
  { weight: 2, arbitrary: someOf(VERBS.slice(0, POINT_VERBS)) },
  { weight: 2, arbitrary: someOf(VERBS.slice(POINT_VERBS)) },
  { weight: 1, arbitrary: someOf(VERBS) },
)

const choice = fc.nat(11)
/** The same choice several times, so that one act overtakes many steps of another. */
const bursts = fc
  .array(fc.tuple(choice, fc.integer({ min: 1, max: 15 })), { maxLength: 40, size: 'max' })
  .map((list) => list.flatMap(([chosen, times]) => Array<number>(times).fill(chosen)))

const fault = fc.record({
  at: fc.nat(MOST_REQUESTS),
  fault: fc.constantFrom<Fault>(...FAULTS, 'unknown'),
})

/** Each history uses some of the verbs, people, items and faults, so that these meet more often. */
export const plans: fc.Arbitrary<Plan> = fc
  .record({
    share: fc.constantFrom(50, 50, 33, 10, 0),
    lessonPrice: fc.constantFrom(1900, 333, 9, 1, 0),
    coursePrice: fc.constantFrom(1999, 500, 7, 0),
    points: fc.constantFrom(3000, 3000, 3000, 0),
    // Nearly everything needs something that somebody has bought.
    first: fc.constantFrom('buyLesson' as const, 'buyCourse' as const),
    verbs,
    people: fc.constantFrom(3, PEOPLE),
    places: fc.constantFrom(1, 2, PLACES),
    acts: fc.array(
      fc.record({
        verb: fc.nat(MOST_VERBS - 1),
        who: fc.nat(PEOPLE - 1),
        which: fc.nat(PLACES - 1),
        node: fc.nat(1),
        twice: fc.integer({ min: 0, max: 4 }).map((number) => number === 4),
      }),
      { minLength: 1, maxLength: MOST_ACTS, size: 'max' },
    ),
    order: fc.oneof(fc.array(choice, { maxLength: 300, size: 'max' }), bursts),
    // Rarely, because every session that is cut has to plan its statements again.
    faults: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(fault, { minLength: 1, maxLength: 3 }) },
    ),
  })
  .map(({ first, verbs: others, people, places, acts, ...rest }) => ({
    ...rest,
    // Only people without points are trusted.
    points: others.includes('trust') ? 0 : rest.points,
    acts: acts.map(({ verb, who, which, ...act }, place) => ({
      ...act,
      verb: (place === 0 ? undefined : others[verb % (others.length + 1)]) ?? first,
      who: who % people,
      which: which % places,
    })),
  }))

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
const POOL = 2
const START = Date.UTC(2026, 0, 1, 12)
const DAY_MS = 24 * 60 * 60 * 1000

/** Opens a migrated database for histories, each with people and items of its own. */
export async function openStage(
  given: ClientConfig,
  { locks, dataDir }: { readonly locks: Locks; readonly dataDir: string },
): Promise<Stage> {
  const connection = { ...given, options: '-c plan_cache_mode=force_generic_plan' }
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
  const admin = await makeAdmin(outside)
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
      const sellers = await makeSellers(pool, idsOf(number), plan)
      const isJudged = plan.acts.some(({ verb }) => verb === 'judgeCopy')
      const claims = isJudged ? await rewardSellers(pool, sellers) : []
      const asksStanding = plan.acts.some(({ verb }) => verb === 'suspend' || verb === 'erase')
      const world: World = {
        ...sellers,
        lessons: [...sellers.lessons],
        claims,
        publishers: new Map(),
        comments: [],
        bought: [],
        admin,
        asksStanding,
      }
      await pool.query(WANT_MAILS, [world.people.map(({ id }) => id)])
      await Promise.all(nodes.map(openAll))
      const done: Done[] = []
      const errors: string[] = []
      const begin = async (each: Act, draftId: string) => {
        try {
          const made = await act(nodeOf, world, each, draftId)
          done.push(made)
          scheduler.tell(`${nameOf(each)}: ${made.outcomes.join(', ')}`)
        } catch (error) {
          errors.push(`${nameOf(each)} fails: ${String(error)}`)
        }
      }
      const work = plan.acts.flatMap((each, place) => {
        const draftId = `00000000-0000-7000-8000-${String(place).padStart(12, '0')}`
        const sent = each.twice ? [each, { ...each, node: each.node + 1 }] : [each]
        return sent.map((one) => ({ name: nameOf(one), begin: () => begin(one, draftId) }))
      })
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

/** Creates an administrator, and their program that wants all events. */
async function makeAdmin({ database: { pool } }: Node): Promise<Viewer> {
  const none = { lessonPrice: 0, coursePrice: 0, points: 0 }
  const [admin] = (await makeSellers(pool, idsOf(0).slice(0, 1), none)).people
  if (admin === undefined) throw new Error('no administrator')
  await pool.query("update users set role = 'administrator' where id = $1", [admin.id])
  await pool.query(
    `insert into webhook_endpoints (url, host, description, events, sealed_secret, enabled, created_by, created_at)
    values ('https://program.example', 'program.example', '', $1, '', true, $2, 'epoch')`,
    [[...WEBHOOK_EVENTS], admin.id],
  )
  return { ...admin, role: 'administrator' }
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
  `person ${who}: ${verb} ${which} on node ${node % NODES}`
