/** One history: what people do, the order in which the scheduler lets it happen, and the faults. */
import type { ClientConfig } from 'pg'
import { WEBHOOK_EVENTS } from '#contract/webhooks.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { createLog } from '#server/kernel/log.ts'
import { Event, KINDS } from '#server/platform/events/catalogue.ts'
import { makeSellers, rewardSellers } from '#server/testing/learning/sellers.ts'
import { act, type Click, type Done } from './acts.ts'
import { choicesOf, UNDISTURBED } from './choices.ts'
import { drain } from './jobs.ts'
import type { Locks } from './locks.ts'
import { readStoredSettings, type StoredSettings } from '#server/platform/core/settings.ts'
import { check, readViews } from './model.ts'
import { type Node, openNode } from './node.ts'
import { PEOPLE, type Plan } from './plans.ts'
import { Scheduler, type Trace } from './scheduler.ts'
import { type Act, CHANGING_STANDING, ROLE_VERBS, type World } from './world.ts'

export interface Result extends Trace {
  /** The rules that don't hold. */
  readonly broken: readonly string[]
}

export interface Stage {
  readonly run: (plan: Plan) => Promise<Result>
  readonly close: () => Promise<void>
}

interface OneStage extends Stage {
  readonly scheduler: Scheduler
}

const OPTIONS = '-c plan_cache_mode=force_generic_plan'
/** The scheduler finds deadlocks, because the server would by real time. */
const NODE_OPTIONS = `${OPTIONS} -c deadlock_timeout=1h -c synchronous_commit=off`
const NODES = 2
/** Connections of a node. */
const POOL = 2
const START = Date.UTC(2026, 0, 1, 12)
const DAY_MS = 24 * 60 * 60 * 1000

/** In ms of real time. Nothing within a history has a limit by itself, not even a wait for a connection. */
const MOST_MS = 20_000

interface StageOptions {
  readonly locks: Locks
  readonly dataDir: string
}

/** Opens a migrated database for histories. After one that doesn't end, the next ones get new nodes. */
export async function openStage(given: ClientConfig, options: StageOptions): Promise<Stage> {
  let stage = await openOneStage(given, options)
  const replace = async () => {
    await stage.close()
    await options.locks.endOthers()
    stage = await openOneStage(given, options)
  }
  return {
    run: async (plan) => {
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(() => late.reject(new Error('it takes too long')), MOST_MS)
      try {
        return await Promise.race([stage.run(plan), late.promise])
      } catch (error) {
        const trace = stage.scheduler.trace
        await replace()
        return { ...trace, broken: [`a history comes to an end (${String(error)})`] }
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => stage.close(),
  }
}

let histories = 0

/** Each history has people and items of its own. */
async function openOneStage(
  given: ClientConfig,
  { locks, dataDir }: StageOptions,
): Promise<OneStage> {
  const connection = { ...given, options: OPTIONS }
  const log = createLog('silent')
  const scheduler = new Scheduler(locks)
  let time = START
  let stored: StoredSettings = { version: 0, texts: {} }
  const clocks = new Map<string, number>()
  const now = (name: string) => new Date((time += 1) + (clocks.get(name) ?? 0))
  const common = { size: POOL, dataDir, log }
  /** It is not simulated: it prepares histories and ends them. */
  const outside = await openNode({
    ...common,
    name: 'outside',
    connection,
    stored,
    now: () => new Date(time + DAY_MS),
  })
  const start = async (name: string) => {
    stored = await readStoredSettings(outside.database.db)
    const stream = () => scheduler.open(name)
    return openNode({
      ...common,
      name,
      connection: { ...connection, options: NODE_OPTIONS, stream: stream as never },
      stored,
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
  let admin = await makeAdmin(outside)
  const nodeOf = (place: number): Node => {
    const node = nodes[place % NODES]
    if (node === undefined) throw new Error('no node')
    return node
  }
  return {
    scheduler,
    run: async (plan) => {
      time = START
      clocks.clear()
      const { pool } = outside.database
      if (histories % MOST_IN_TABLES === 0) admin = await makeAdmin(outside)
      const sellers = await makeSellers(pool, nextIds(), plan)
      const isJudged = plan.acts.some(({ verb }) => verb === 'judgeCopy')
      const claims = isJudged ? await rewardSellers(pool, sellers) : []
      const asksStanding = plan.acts.some(({ verb }) => CHANGING_STANDING.has(verb))
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
      const ids = world.people.map(({ id }) => id)
      const texts = { AUTHOR_SHARE: `${plan.share}`, DAILY_REWARD_LIMIT: `${plan.limit ?? 10}` }
      const administrators = plan.acts.some(({ verb }) => ROLE_VERBS.has(verb)) ? 2 : 0
      const values = [ids, texts, ids.slice(0, administrators), admin.id]
      await pool.query({ name: 'prepare', text: PREPARE, values })
      for (const node of [outside, ...nodes]) node.setSettings({ version: 0, texts })
      await Promise.all(nodes.map(openAll))
      const done: Done[] = []
      const errors: string[] = []
      const begin = async (each: Act, click: Click) => {
        try {
          const made = await act(nodeOf, world, each, click)
          done.push(made)
          scheduler.tell(`${nameOf(each)}: ${made.outcomes.join(', ')}`)
        } catch (error) {
          errors.push(`${nameOf(each)} fails: ${String(error)}`)
        }
      }
      const work = plan.acts.flatMap((each, place) => {
        const click = { draftId: `00000000-0000-7000-8000-${String(place).padStart(12, '0')}` }
        const sent = each.twice ? [each, { ...each, node: each.node + 1 }] : [each]
        const isAlone = each.isAlone === true && !each.twice
        return sent.map((one) => ({ name: nameOf(one), isAlone, begin: () => begin(one, click) }))
      })
      const trace = await scheduler.run(work, choicesOf(plan))
      const broken = [...errors]
      if (!(await drain(outside))) broken.push('jobs and events come to an end')
      broken.push(...(await check(pool, world, done)))
      if (trace.deadlocks > 0) broken.push('no two acts wait for each other')
      if (trace.standstills > 0) broken.push('no act waits for a connection while it holds one')
      // Nodes don't hear of a lost message, nor of a commit whose answer was lost. What they cache expires within a day.
      const isUnheard = done.some(({ outcomes }) => outcomes.includes('unknown'))
      if (trace.lostMessages > 0 || isUnheard) time += DAY_MS
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
      const { version } = await readStoredSettings(outside.database.db)
      // One that doesn't hear of a change or can't read it finds it a second later.
      if (plan.faults.length === 0 && nodes.some((node) => node.settingsVersion !== version))
        broken.push('all nodes know the settings')
      return { ...trace, broken }
    },
    close: async () => {
      scheduler.close()
      // Without waiting, because work that doesn't end never gives its connections back.
      for (const node of [outside, ...nodes, ...dead]) void node.close().catch(() => undefined)
    },
  }
}

/** What a history leaves for the next ones. */
const LEFT = [
  'delete from events',
  'delete from webhook_events',
  'delete from trusted_shares',
  'delete from lesson_fingerprints',
  'delete from graphile_worker._private_jobs',
  'delete from graphile_worker._private_job_queues',
  "delete from moderation_log where action = 'settingChanged'",
  "update users set role = 'user' where role = 'administrator' and id <> $4 and id <> all($1)",
]

/** Removes what is left. Every person wants a mail for each sale, and those in $3 are administrators. */
const PREPARE = `
  with ${LEFT.map((text, place) => `left_${place} as (${text})`).join(', ')},
  confirmed as (
    update users set email_confirmed_at = created_at, role = case when id = any($3) then 'administrator' else 'user' end
    where id = any($1)
  ), made as (
    insert into moderation_log (actor_id, action, person_id, reason) select $4, 'administratorMade', id, 'prepared'
    from unnest($3::uuid[]) id
  ), settings as (
    insert into site_settings (version, texts) values (0, $2)
    on conflict (one) do update set version = excluded.version, texts = excluded.texts
  )
  insert into notice_choices (user_id, kind, shown, mail) select id, 'sold', true, 'once' from unnest($1::uuid[]) id`

/** Histories after which everything is removed. Rarely, because all sessions then plan their statements again. */
const MOST_IN_TABLES = 200
const CLEAR_ALL = `
  truncate users, events, webhook_events, webhook_endpoints, graphile_worker._private_jobs, graphile_worker._private_job_queues cascade`

/** Removes everything, and creates an administrator and their program that wants all events. */
async function makeAdmin({ database: { pool } }: Node): Promise<Viewer> {
  await pool.query(CLEAR_ALL)
  const none = { lessonPrice: 0, coursePrice: 0, points: 0 }
  const [admin] = (await makeSellers(pool, nextIds().slice(0, 1), none)).people
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
function nextIds(): string[] {
  histories += 1
  const start = histories.toString(16).padStart(8, '0')
  return Array.from({ length: PEOPLE }, (_, place) => `${start}-0000-7000-8000-00000000000${place}`)
}

/** Every history begins with all connections open, so that it doesn't depend on the one before. */
async function openAll({ database: { pool } }: Node): Promise<void> {
  const clients = await Promise.all(Array.from({ length: POOL }, () => pool.connect()))
  for (const client of clients) client.release()
}

const nameOf = ({ verb, who, which, node }: Act) =>
  `person ${who}: ${verb} ${which} on node ${node % NODES}`
