/**
 * What stands in a seeded row follows from its number and the seed alone. So no row is remembered while millions are
 * written, two runs give the same content, and any row's counterpart (the entry of a purchase, the number on a card)
 * can be worked out from both sides.
 */
import { COURSE_LESSONS, COURSE_PRICE, LESSON_PRICE } from '#contract/limits.ts'

/** How many rows of each kind are asked for. */
export interface Sizes {
  readonly lessons: number
  readonly users: number
  readonly purchases: number
  readonly likes: number
  readonly comments: number
  readonly messages: number
  readonly seed: number
}

/** A person and a lesson, both counted from 0. */
export interface Pick {
  readonly person: number
  readonly lesson: number
}

/** The two people of a conversation, `lower` and `upper` only by their numbers. */
export interface Pair {
  readonly lower: number
  readonly upper: number
}

const LESSONS_OF_AUTHOR = 10
const MESSAGES_OF_PAIR = 10
/** Of so many purchases one is that of a course. */
const COURSE_SHARE = 20
/** Of so many conversations one ends with a message that was not read. */
const UNREAD_SHARE = 4
const BEGIN = Date.UTC(2025, 0, 1)
const YEAR_MS = 365 * 24 * 60 * 60 * 1000

/** A number from 0 to 2³² - 1 that looks like chance (the finalizer of MurmurHash3). */
export function hash(seed: number, salt: number, n: number): number {
  let value = (n ^ Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)) | 0
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

const SALT = { purchase: 1, like: 2, comment: 3, course: 4, person: 5 } as const
/** Salts up to this are for the tables' own values. */
export const FREE_SALT = 100

/** Of people and lessons that begin at 0; `createContent` says what each does. */
export type Content = ReturnType<typeof createContent>

/**
 * Who owns, bought, liked and said what.
 *
 * Each person's purchases are spread over strata of lessons, one of each, that grow from few lessons to many: nobody
 * buys a lesson twice, some lessons sell much and most sell little. Half of the people bought the first lesson.
 */
export function createContent(sizes: Sizes) {
  const { lessons, users, seed } = sizes
  const authors = Math.max(1, Math.min(users, Math.floor(lessons / LESSONS_OF_AUTHOR)))
  const ownerOf = (lesson: number) => lesson % authors
  const fans = Math.ceil(users / 2)
  const courses = lessons / authors >= COURSE_LESSONS.min ? authors : 0

  const strata = (total: number) => {
    const most = Math.ceil(Math.max(0, total - fans) / users)
    return Math.min(most, Math.max(0, lessons - 1))
  }
  /** The first lesson of a stratum; squares, where the strata are narrow enough for each to have a lesson. */
  const beginOf = (stratum: number, of: number) => {
    const part = stratum / of
    return 1 + Math.floor((lessons - 1) * (lessons > of * of ? part * part : part))
  }

  /** Which lesson was bought or liked the `n`th time; null when it would be one's own. */
  const pick = (salt: number, total: number, n: number): Pick | null => {
    if (n < fans) {
      const person = Math.min(users - 1, n * 2)
      return ownerOf(0) === person ? null : { person, lesson: 0 }
    }
    const of = strata(total)
    const stratum = Math.floor((n - fans) / users)
    if (stratum >= of) return null
    const person = (n - fans) % users
    const begin = beginOf(stratum, of)
    const width = beginOf(stratum + 1, of) - begin
    const place = hash(seed, salt + stratum * 16, person) % width
    const lesson = begin + place
    if (ownerOf(lesson) !== person) return { person, lesson }
    const next = begin + ((place + 1) % width)
    return ownerOf(next) === person ? null : { person, lesson: next }
  }
  const purchase = (n: number) => pick(SALT.purchase, sizes.purchases, n)
  const like = (n: number) => pick(SALT.like, sizes.likes, n)

  /** Somebody who bought the lesson says something; the owner does where nobody bought. */
  const comment = (n: number): Pick => {
    const found =
      sizes.purchases === 0 ? null : purchase(hash(seed, SALT.comment, n) % sizes.purchases)
    if (found !== null) return found
    const lesson = hash(seed, SALT.comment, n) % lessons
    return { person: ownerOf(lesson), lesson }
  }

  /** Author `n` has course `n`; others buy it. Null: it would be one's own. */
  const coursePurchase = (n: number): { person: number; course: number } | null => {
    const course = hash(seed, SALT.course, n) % Math.max(1, courses)
    return course === n ? null : { person: n, course }
  }
  const coursePurchases =
    courses === 0 ? 0 : Math.min(users, Math.floor(sizes.purchases / COURSE_SHARE))

  const farthest = Math.floor((users - 1) / 2)
  const pairs = Math.min(Math.ceil(sizes.messages / MESSAGES_OF_PAIR), users * farthest)
  const pair = (n: number): Pair => {
    const lower = n % users
    return { lower, upper: (lower + 1 + Math.floor(n / users)) % users }
  }
  /** Message `n` belongs to pair `n % pairs`; the two take turns. */
  const message = (n: number) => {
    const { lower, upper } = pair(n % pairs)
    const isAnswer = Math.floor(n / pairs) % 2 === 1
    return isAnswer ? { sender: upper, receiver: lower } : { sender: lower, receiver: upper }
  }
  /** The last message of a pair, counted from 0, and whether its receiver has not read it. */
  const lastOf = (n: number) => ({
    message: n + pairs * Math.floor((sizes.messages - 1 - n) / pairs),
    isUnread: n % UNREAD_SHARE === 0,
  })

  return {
    sizes,
    authors,
    courses,
    coursePurchases,
    pairs,
    ownerOf,
    purchase,
    like,
    comment,
    coursePurchase,
    pair,
    message,
    lastOf,
    /** Enough for all that anybody buys. */
    welcome: (strata(sizes.purchases) + 1) * LESSON_PRICE + COURSE_PRICE + 1000,
    /** Rows that are tried; the few that would be one's own are left out. */
    tries: (total: number) => Math.min(total, fans + strata(total) * users),
  }
}

/** The moment of row `n` of `count`, spread over the year 2025, as PostgreSQL reads it. */
export function momentOf(n: number, count: number): string {
  return new Date(BEGIN + Math.floor((n / Math.max(1, count)) * YEAR_MS)).toISOString()
}

/** The id of a person by number, the same for the same seed. */
export function personId(seed: number, n: number): string {
  const part = (of: number) =>
    hash(seed, SALT.person * 16 + of, n)
      .toString(16)
      .padStart(8, '0')
  // The first part alone is another one for each number, because no step of `hash` brings two numbers together.
  const [a, b, c, d] = [part(0), part(1), part(2), part(3)]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`
}
