/**
 * The ledger balances after random histories of purchases, trust, returns, decisions about copies, deletions, erasures
 * and suspensions, partly concurrent. Each history has its own people and items, so that fast-check can shrink
 * failures; `HISTORIES=10000` sets their number.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CopyOutcome } from '#contract/flags.ts'
import { audit } from '#server/operate/audit/audit.ts'
import { Refusal } from '#server/kernel/errors.ts'
import { decideClaim } from '#server/items/flags/claims.ts'
import { buy } from '#server/items/purchases/purchases.ts'
import { unlockOnTrust } from '#server/items/purchases/trust.ts'
import { payTrustedShares } from '#server/items/purchases/trusted-shares.ts'
import { reportProgress } from '#server/items/progress/reporting.ts'
import { rate } from '#server/items/ratings/rating.ts'
import { returnItem } from '#server/items/returns/returns.ts'
import { removeCourse } from '#server/operate/removal/course-removal.ts'
import { eraseItems } from '#server/operate/removal/erased-items.ts'
import { removeLesson } from '#server/operate/removal/removal.ts'
import { continueRemovals } from '#server/operate/removal/unfinished.ts'
import { award } from '#server/people/points/ledger.ts'
import { countRuns } from '#server/testing/lane.ts'
import {
  BOOK_RULES,
  makeSellers,
  rewardSellers,
  type Sellers,
} from '#server/testing/learning/sellers.ts'
import { openTestApp } from '#server/testing/setup.ts'

const AT_ONCE = 8
const HISTORIES = Number(process.env['HISTORIES'] ?? AT_ONCE * countRuns(20))
const PEOPLE = 5

const app = await openTestApp()
const { _id: moderator } = (await app.signUp('moderator')).session
// Registers all kinds of jobs like a starting worker, so that adding the first job of a kind waits for nobody.
await app.runJobs()

const step = fc.record({
  kind: fc.constantFrom(
    'buyLesson',
    'buyLesson',
    'buyLesson',
    'buyLesson',
    'buyCourse',
    'buyCourse',
    'trust',
    'trust',
    'repay',
    'returnLesson',
    'returnCourse',
    'rateLesson',
    'finishLesson',
    'copy',
    'copy',
    'removeCopy',
    'allowCopy',
    'undoCopy',
    'undoCopy',
    'dropLesson',
    'dropCourse',
    'erase',
    'suspend',
    'goOn',
  ),
  who: fc.nat(PEOPLE - 1),
  which: fc.nat(9),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
const history = fc.record({
  percent: fc.constantFrom(0, 1, 10, 33, 50),
  lessonPrice: fc.constantFrom(0, 1, 9, 100, 333, 1900),
  coursePrice: fc.constantFrom(0, 7, 500, 1999),
  points: fc.constantFrom(0, 3000),
  /** Whether the lessons and courses were rewarded at the beginning. */
  isRewarded: fc.boolean(),
  /** The steps of a group run concurrently. */
  groups: fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 }),
})
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never

const query = <Row extends Record<string, unknown>>(text: string, values: readonly unknown[]) =>
  app.app.database.pool.query<Row>(text, [...values])

interface World extends Sellers {
  /** Reports that the lessons are copies, in the same order. */
  readonly reports: readonly number[]
}

async function act(world: World, percent: number, { kind, who, which }: Step): Promise<void> {
  const { core } = app.app
  const needs = { ...core, config: { AUTHOR_SHARE: percent, LESSON_ON_TRUST: '1' } } as const
  const viewer = world.people[who]
  const lesson = world.lessons[which % world.lessons.length]
  const course = world.courses[which % world.courses.length]
  if (viewer === undefined || lesson === undefined || course === undefined) throw new Error('empty')
  const decide = async (outcome?: CopyOutcome) => {
    const id = world.reports[which % world.lessons.length] ?? 0
    await decideClaim(core, { ...viewer, id: moderator }, { id, outcome, reason: 'Taken over' })
  }
  switch (kind) {
    case 'buyLesson':
      await buy(needs, 'lesson', viewer, lesson)
      return
    case 'buyCourse':
      await buy(needs, 'course', viewer, course)
      return
    case 'trust':
      await unlockOnTrust(needs, viewer, lesson)
      return
    case 'repay': {
      // Points that no item brought, so that trust is still possible afterwards. Then the job runs.
      const gift = { userId: viewer.id, amount: 2000, reason: 'welcome' } as const
      const once = { occurrence: randomUUID(), at: core.clock.now() }
      await core.db.transaction().execute((tx) => award(tx, { ...gift, ...once }))
      await payTrustedShares(core)
      return
    }
    case 'returnLesson':
      await returnItem(core, 'lesson', viewer, lesson)
      return
    case 'returnCourse':
      await returnItem(core, 'course', viewer, course)
      return
    case 'rateLesson':
      await rate(core, viewer, 'lesson', { id: lesson, stars: 3 })
      return
    case 'finishLesson':
      await reportProgress(core, viewer, { lessonId: lesson, done: true })
      return
    case 'copy':
      return decide('copy')
    case 'removeCopy':
      return decide('removed')
    case 'allowCopy':
      return decide('fine')
    case 'undoCopy':
      return decide()
    case 'dropLesson':
      await removeLesson(core, viewer, { id: lesson, reason: undefined })
      return
    case 'dropCourse':
      await removeCourse(core, viewer, { id: course, reason: undefined })
      return
    case 'erase':
      await query('update users set erased_at = now() where id = $1', [viewer.id])
      await eraseItems(core.db, viewer.id, core.clock.now())
      return
    case 'suspend':
      await query('update users set suspended_at = now() where id = $1', [viewer.id])
      return
    case 'goOn':
      await continueRemovals(core)
  }
}

async function live(given: History): Promise<void> {
  const ids = Array.from({ length: PEOPLE }, () => randomUUID())
  const { pool } = app.app.database
  const sellers = await makeSellers(pool, ids, given)
  const reports = given.isRewarded ? await rewardSellers(pool, sellers) : []
  const world = { ...sellers, reports }
  for (const group of given.groups) {
    const done = await Promise.allSettled(group.map((each) => act(world, given.percent, each)))
    for (const each of done)
      if (each.status === 'rejected' && !(each.reason instanceof Refusal)) throw each.reason
    for (const [rule, text] of Object.entries(BOOK_RULES)) {
      const { rows } = await query(text, [ids])
      expect(rows, rule).toEqual([])
    }
  }
}

test('any history keeps the books with shares', { timeout: 3_600_000 }, async () => {
  const together = fc.array(history, { minLength: AT_ONCE, maxLength: AT_ONCE })
  await fc.assert(
    fc.asyncProperty(together, async (histories) => {
      await Promise.all(histories.map(live))
    }),
    { numRuns: Math.ceil(HISTORIES / AT_ONCE) },
  )
  const { db } = app.app.database
  const { findings } = await audit({ db, storage: app.app.core.storage }, { isLive: true })
  const ofBooks = [
    'balanceNotSum',
    'boughtOnDebt',
    'trustedWrongly',
    'purchaseNotPaid',
    'shareNotPaid',
    'rewardNotEarned',
    'rewardWithoutItem',
    'courseRewardTooFew',
  ]
  expect(findings.filter(({ rule }) => ofBooks.includes(rule))).toEqual([])
})
