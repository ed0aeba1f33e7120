/** Lets the people and the workers of a history act on a node. */
import { comments } from '#contract/comments.ts'
import { courses } from '#contract/courses.ts'
import { flags } from '#contract/flags.ts'
import { follows } from '#contract/follows.ts'
import { lessons } from '#contract/lessons.ts'
import { moderation } from '#contract/moderation.ts'
import { people } from '#contract/people.ts'
import { progress } from '#contract/progress.ts'
import { ratings } from '#contract/ratings.ts'
import { returns } from '#contract/returns.ts'
import { settings } from '#contract/settings.ts'
import { trust } from '#contract/trust.ts'
import { payTrustedShares } from '#server/items/purchases/trusted-shares.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { forbidden, Refusal } from '#server/kernel/errors.ts'
import { award } from '#server/people/points/ledger.ts'
import { dispatchEvents } from '#server/platform/events/dispatching.ts'
import { addJobLater } from '#server/platform/jobs/queue.ts'
import { FINISH_ERASURE } from '#server/operate/removal/erasure.ts'
import { listSubscribers } from '#server/work.ts'
import { freeJobs, runNextJobs } from './jobs.ts'
import type { Node } from './node.ts'
import { type Act, findTarget, type Target, withStanding, type World } from './world.ts'

/** `refused` by the product for good reason; `unknown` after a lost connection. */
export type Outcome = 'done' | 'refused' | 'unknown'

const ARTICLES = ['knots and ropes', 'bread and salt', 'stars and maps', 'tides and moons']

/** Does it once. @throws what the product throws */
async function attempt(
  node: Node,
  world: World,
  { verb, who, which }: Act,
  { target, draftId }: { readonly target: Target; readonly draftId: string },
): Promise<unknown> {
  const { owner, seller, author, subject, lesson: id, course, comment } = target
  // The place of the act in its history.
  const turn = Number(draftId.at(-1))
  const viewer = world.asksStanding ? await withStanding(node, target.viewer) : target.viewer
  switch (verb) {
    case 'buyLesson':
      return node.call(lessons.buy, viewer, { id })
    case 'buyCourse':
      return node.call(courses.buy, viewer, { id: course })
    case 'returnLesson':
      return node.call(returns.lesson, viewer, { id })
    case 'returnCourse':
      return node.call(returns.course, viewer, { id: course })
    case 'trust':
      return node.call(trust.unlock, viewer, { id })
    case 'repay':
      return repay(node, viewer.id, draftId)
    case 'like':
      return node.call(lessons.like, viewer, { id })
    case 'comment': {
      const draft = { lessonId: id, text: 'Thank you for this', draftId }
      const made = await node.call(comments.create, viewer, draft)
      if (!world.comments.some((one) => one.id === made.id))
        world.comments.push({ id: made.id, writer: viewer })
      return made
    }
    case 'dropComment':
      return comment && node.call(comments.remove, comment.writer, { id: comment.id })
    case 'rate':
      await node.call(progress.report, viewer, { lessonId: id, opened: true })
      return node.call(ratings.rateLesson, viewer, { id, stars: 1 + (which % 5) })
    case 'unrate':
      return node.call(ratings.unrateLesson, viewer, { id })
    case 'follow':
      return node.call(follows.follow, viewer, { id: author.id })
    case 'unfollow':
      return node.call(follows.unfollow, viewer, { id: author.id })
    case 'publish': {
      const made = await node.call(lessons.create, viewer, draftOf(which, turn, draftId))
      if (!world.publishers.has(made.id)) world.lessons.push(made.id)
      world.publishers.set(made.id, viewer)
      return made
    }
    case 'dropLesson':
      return node.call(lessons.remove, owner, { id })
    case 'dropCourse':
      return node.call(courses.remove, seller, { id: course })
    case 'judgeCopy':
      return judgeCopy(node, world, which, turn)
    case 'removeComments':
      return comment && node.call(comments.removeMany, world.admin, { ids: newestIds(world) })
    case 'restoreComments':
      return comment && node.call(comments.restoreMany, world.admin, { ids: newestIds(world) })
    case 'suspend':
      return node.call(moderation.suspend, world.admin, { id: subject.id, reason: 'Spam' })
    case 'unsuspend':
      return node.call(moderation.unsuspend, world.admin, { id: subject.id, reason: 'Sorry' })
    case 'view':
      return node.call(lessons.show, null, { id })
    case 'makeAdministrator':
      return changeRole(node, viewer, subject.id, 'administrator')
    case 'unmakeAdministrator':
      return changeRole(node, viewer, subject.id, 'user')
    case 'changeSettings':
      return changeSettings(node, world.admin, who, turn)
    case 'erase':
      return erase(node, viewer.id)
    case 'dispatch':
      return dispatchEvents(node.core, listSubscribers(node.core))
    case 'work':
      return runNextJobs(node)
    case 'freeJobs':
      return freeJobs(node.core.db)
  }
}

const newestIds = (world: World) => world.comments.slice(-2).map(({ id }) => id)

/** Some drafts of the same place have the same content, others another one. */
const draftOf = (which: number, turn: number, draftId: string) => {
  const topic = which + (turn % 2)
  return {
    title: `Lesson ${which}`,
    description: 'What one needs to know',
    video: `https://youtu.be/abcdefghi-${topic % 10}`,
    cover: 'drawn',
    tags: 'one',
    article: `<p>${`All about ${ARTICLES[topic % ARTICLES.length]}, step by step. `.repeat(12)}</p>`,
    draftId,
  }
}

const OUTCOMES = ['copy', undefined, 'removed', 'fine'] as const

/** An administrator decides that a lesson is a copy, or takes that back. */
async function judgeCopy(
  node: Node,
  { admin, claims }: World,
  which: number,
  turn: number,
): Promise<unknown> {
  const id = claims[which % 2]
  const outcome = OUTCOMES[turn % OUTCOMES.length]
  return id === undefined ? null : node.call(flags.decide, admin, { id, outcome, reason: 'Taken' })
}

function changeRole(
  node: Node,
  viewer: Viewer,
  id: string,
  role: Viewer['role'],
): Promise<unknown> {
  if (viewer.role !== 'administrator') throw forbidden()
  return node.call(people.changeRole, viewer, { id, role, reason: 'Help' })
}

const SHARES = ['50', '33', '10', '0']
const LIMITS = ['10', '1', '2', '0']

/** An administrator changes one of two settings, from what the node shows. */
async function changeSettings(
  node: Node,
  admin: Viewer,
  who: number,
  turn: number,
): Promise<unknown> {
  const { version } = await node.call(settings.show, admin, {})
  const texts =
    who % 2 === 0
      ? { AUTHOR_SHARE: SHARES[turn % SHARES.length] }
      : { DAILY_REWARD_LIMIT: LIMITS[turn % LIMITS.length] }
  return node.call(settings.edit, admin, { version, texts })
}

/** Gives points that no item brought, so that trust is still possible afterwards. Then the job runs. */
async function repay({ core }: Node, userId: string, occurrence: string): Promise<void> {
  const gift = { userId, amount: 2000, reason: 'welcome', at: core.clock.now() } as const
  await core.db.transaction().execute((tx) => award(tx, { ...gift, occurrence }))
  await payTrustedShares(core)
}

/** Closes the account without its password, and leaves the rest to the job. */
async function erase({ core: { db, clock } }: Node, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const at = clock.now()
    await tx.updateTable('users').set({ erased_at: at }).where('id', '=', userId).execute()
    await addJobLater(tx, FINISH_ERASURE, { userId }, { key: `erase ${userId}` })
  })
}

/** After a lost connection a person tries again, on the next node. */
const MOST_TRIES = 3

export interface Done {
  readonly act: Act
  readonly target: Target
  readonly draftId: string
  /** The outcome of each try, in their order. */
  readonly outcomes: readonly Outcome[]
}

/** The targets that both requests of a double click share. */
export interface Click {
  readonly draftId: string
  /** Found when the first of them begins. */
  target?: Target
}

export async function act(
  nodeOf: (number: number) => Node,
  world: World,
  given: Act,
  click: Click,
): Promise<Done> {
  const target = (click.target ??= findTarget(world, given))
  const { draftId } = click
  const tries = await attemptOften(nodeOf, world, given, { target, draftId })
  const { viewer, lesson, course } = target
  const { verb } = given
  if ((verb === 'buyLesson' || verb === 'buyCourse') && tries.at(-1) === 'done')
    world.bought.push({ verb, viewer, lesson, course })
  return { act: given, target, draftId, outcomes: tries }
}

async function attemptOften(
  nodeOf: (number: number) => Node,
  world: World,
  given: Act,
  about: { readonly target: Target; readonly draftId: string },
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    try {
      await attempt(nodeOf(given.node + tries), world, given, about)
      return [...outcomes, 'done']
    } catch (error) {
      if (error instanceof Refusal) return [...outcomes, 'refused']
      if (!isTransient(error)) throw error
      outcomes.push('unknown')
    }
  }
  return outcomes
}

const TRANSIENT: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'EPIPE',
  '40001',
  '40P01',
  '55P03',
  '57P01',
])

/** Lost connections, and statements that the server gave up because of others. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    ('code' in error && TRANSIENT.has(error.code)) ||
    /connection terminated|not queryable|client was closed/i.test(error.message)
  )
}
