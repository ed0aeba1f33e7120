/** Runs the verbs of the product for the people of a history. */
import { buy } from '#server/items/purchases/purchases.ts'
import { createComment } from '#server/items/comments/writing.ts'
import { like } from '#server/items/likes/likes.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { Refusal } from '#server/kernel/errors.ts'
import { removeCourse } from '#server/operate/removal/course-removal.ts'
import { eraseItems } from '#server/operate/removal/erased-items.ts'
import { removeLesson } from '#server/operate/removal/removal.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Sellers } from '#server/testing/learning/sellers.ts'

export const VERBS = [
  'buyLesson',
  'buyCourse',
  'like',
  'comment',
  'dropLesson',
  'dropCourse',
  'erase',
] as const
export type Verb = (typeof VERBS)[number]

export interface Act {
  readonly verb: Verb
  /** A person and an item, by their place in the world. */
  readonly who: number
  readonly which: number
  /** The node that is asked first. */
  readonly node: number
}

/** `refused` by the product for good reason; `unknown` after a lost connection. */
export type Outcome = 'done' | 'refused' | 'unknown'

export interface NodeNeeds {
  readonly db: Db
  readonly clock: Clock
}

/** Does it once. @throws what the product throws */
async function attempt(
  { db, clock }: NodeNeeds,
  world: Sellers,
  share: number,
  { verb, who, which }: Act,
  draftId: string,
): Promise<unknown> {
  const viewer = world.people[who % world.people.length]
  const lesson = world.lessons[which % world.lessons.length]
  const course = world.courses[which % world.courses.length]
  if (viewer === undefined || lesson === undefined || course === undefined) throw new Error('empty')
  const needs = { db, clock, config: { AUTHOR_SHARE: share } }
  switch (verb) {
    case 'buyLesson':
      return buy(needs, 'lesson', viewer, lesson)
    case 'buyCourse':
      return buy(needs, 'course', viewer, course)
    case 'like':
      return like(needs, { userId: viewer.id, kind: 'lesson', itemId: lesson })
    case 'comment': {
      const draft = { lessonId: lesson, text: 'Thank you for this', draftId }
      return createComment({ db, clock, limited: false }, viewer, draft)
    }
    case 'dropLesson':
      return removeLesson(needs, viewer, { id: lesson, reason: undefined })
    case 'dropCourse':
      return removeCourse(needs, viewer, { id: course, reason: undefined })
    case 'erase':
      await db
        .updateTable('users')
        .set({ erased_at: clock.now() })
        .where('id', '=', viewer.id)
        .execute()
      return eraseItems(db, viewer.id, clock.now())
  }
}

/** After a lost connection a person tries again, on the next node. */
const MOST_TRIES = 3

/** Returns the outcomes of the tries, the last one last. */
export async function act(
  nodeOf: (number: number) => NodeNeeds,
  world: Sellers,
  share: number,
  given: Act,
  draftId: string,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    try {
      await attempt(nodeOf(given.node + tries), world, share, given, draftId)
      return [...outcomes, 'done']
    } catch (error) {
      if (error instanceof Refusal) return [...outcomes, 'refused']
      if (!isTransient(error)) throw error
      outcomes.push('unknown')
    }
  }
  return outcomes
}

/** Lost connections, and statements that the server gave up because of locks. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    ['ECONNRESET', 'EPIPE', '40P01', '55P03', '57P01'].includes(code) ||
    /connection terminated|not queryable|client was closed/i.test(error.message)
  )
}
