/** Random plans of histories. */
import fc from 'fast-check'
import { type Chosen, type Fault, FAULTS } from './choices.ts'
import type { Act, Verb } from './world.ts'

export interface Plan extends Chosen {
  /** Percent of a price that the author gets, and rewards a day, until somebody changes them. */
  readonly share: number
  readonly limit?: number
  readonly lessonPrice: number
  readonly coursePrice: number
  /** Of each person at the beginning. */
  readonly points: number
  readonly acts: readonly Act[]
}

export const PEOPLE = 5
const PLACES = 4
const MOST_ACTS = 8
const MOST_REQUESTS = 40
const MOST_CHOICES = 120

/** Verbs that concern the same rows. */
const FAMILIES: readonly (readonly Verb[])[] = [
  ['buyLesson', 'buyCourse', 'returnLesson', 'returnCourse'],
  ['buyCourse', 'dropLesson', 'dropCourse'],
  ['trust', 'repay'],
  ['buyLesson', 'publish', 'changeSettings'],
  ['judgeCopy', 'dropLesson', 'dropCourse'],
  ['like', 'view'],
  ['comment', 'dropComment', 'removeComments', 'restoreComments'],
  ['rate', 'unrate'],
  ['follow', 'unfollow', 'publish'],
  ['suspend', 'unsuspend', 'erase'],
  ['makeAdministrator', 'unmakeAdministrator'],
  ['suspend', 'makeAdministrator'],
  ['dispatch', 'work', 'freeJobs'],
]

const choice = fc.nat(11)
/** The same choice several times, so that one act overtakes many steps of another. */
const bursts = fc
  .array(fc.tuple(choice, fc.integer({ min: 1, max: 15 })), { maxLength: 30, size: 'max' })
  .map((list) => list.flatMap(([chosen, times]) => Array<number>(times).fill(chosen)))

const fault = fc.record({
  at: fc.nat(MOST_REQUESTS),
  fault: fc.constantFrom<Fault>(...FAULTS, 'unknown'),
})

/** Each history uses some families of verbs, people, items and faults, so that these meet more often. */
export const plans: fc.Arbitrary<Plan> = fc
  .record({
    share: fc.constantFrom(50, 50, 33, 10, 0),
    limit: fc.constantFrom(10, 10, 2, 1),
    lessonPrice: fc.constantFrom(1900, 1900, 333, 9, 0),
    coursePrice: fc.constantFrom(1999, 500, 7, 0),
    points: fc.constantFrom(3000, 3000, 3000, 0),
    // Nearly everything needs something that somebody has bought.
    first: fc.constantFrom('buyLesson' as const, 'buyCourse' as const),
    families: fc.uniqueArray(fc.constantFrom(...FAMILIES), { minLength: 1, maxLength: 2 }),
    people: fc.constantFrom(2, 3, PEOPLE),
    places: fc.constantFrom(1, 1, 2, PLACES),
    acts: fc.array(
      fc.record({
        verb: fc.nat(59),
        who: fc.nat(PEOPLE - 1),
        which: fc.nat(PLACES - 1),
        node: fc.nat(1),
        twice: fc.integer({ min: 0, max: 4 }).map((number) => number === 4),
        isAlone: fc.integer({ min: 0, max: 2 }).map((number) => number === 2),
      }),
      { minLength: 2, maxLength: MOST_ACTS, size: 'max' },
    ),
    order: fc.oneof(fc.array(choice, { maxLength: MOST_CHOICES, size: 'max' }), bursts),
    faults: fc.oneof(fc.constant([]), fc.array(fault, { minLength: 1, maxLength: 3 })),
  })
  .map(({ first, families, people, places, acts, ...rest }) => {
    const isTrusted = families.flat().includes('trust')
    const verbs = [...(isTrusted ? [] : [first]), ...families.flat(), ...families.flat()]
    return {
      ...rest,
      // Only people without points are trusted.
      points: isTrusted ? 0 : rest.points,
      acts: acts.map(({ verb, who, which, ...act }, place) => ({
        ...act,
        verb: verbs[place === 0 ? 0 : verb % verbs.length] ?? first,
        who: who % people,
        which: which % places,
      })),
    }
  })
