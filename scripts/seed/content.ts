/**
 * Each seeded row is a function of its number and the seed. No row is remembered while millions are written, runs
 * are reproducible, and related rows (a purchase and its ledger entry, the count on a card) can be computed
 * independently.
 */
import { COURSE_LESSONS, COURSE_PRICE, LESSON_PRICE } from '#contract/limits.ts'

/** Number of rows of each kind. */
export interface Sizes {
  readonly lessons: number
  readonly users: number
  readonly purchases: number
  readonly likes: number
  readonly comments: number
  readonly messages: number
  readonly seed: number
}

/** A person and a lesson, counted from 0. */
export interface Pick {
  readonly person: number
  readonly lesson: number
}

/** The two people of a conversation, where `lower` is the one with the smaller number. */
export interface Pair {
  readonly lower: number
  readonly upper: number
}

const LESSONS_OF_AUTHOR = 10
const MESSAGES_OF_PAIR = 10
/** One in this many purchases is that of a course. */
const COURSE_SHARE = 20
/** One in this many conversations ends with an unread message. */
const UNREAD_SHARE = 4
const BEGIN = Date.UTC(2025, 0, 1)
const YEAR_MS = 365 * 24 * 60 * 60 * 1000

/** Returns a pseudo-random number from 0 to 2³² - 1 (the finalizer of MurmurHash3). */
export function hash(seed: number, salt: number, n: number): number {
  let value = (n ^ Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)) | 0
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

const SALT = { purchase: 1, like: 2, comment: 3, course: 4, person: 5 } as const
/** Salts up to this value are free for other values of the tables. */
export const FREE_SALT = 100

/** People and lessons are counted from 0; `createContent` describes the members. */
export type Content = ReturnType<typeof createContent>

/**
 * Defines who owns, bought, liked and said what. A person buys one lesson from each stratum, and strata grow from
 * few lessons to many. So nobody buys a lesson twice, some lessons sell much and most sell little. Half of the
 * people bought the first lesson.
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
  /** The first lesson of a stratum. Squares make the strata wide enough for each to have a lesson. */
  const beginOf = (stratum: number, of: number) => {
    const part = stratum / of
    return 1 + Math.floor((lessons - 1) * (lessons > of * of ? part * part : part))
  }

  /** The lesson of the `n`th purchase or like, or null if it would be the person's own. */
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

  /** The commenter has bought the lesson. Without buyers it is the owner. */
  const comment = (n: number): Pick => {
    const found =
      sizes.purchases === 0 ? null : purchase(hash(seed, SALT.comment, n) % sizes.purchases)
    if (found !== null) return found
    const lesson = hash(seed, SALT.comment, n) % lessons
    return { person: ownerOf(lesson), lesson }
  }

  /** Author `n` has course `n`; others buy it. Null if it would be the person's own. */
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
  /** Message `n` belongs to pair `n % pairs`, whose people alternate. */
  const message = (n: number) => {
    const { lower, upper } = pair(n % pairs)
    const isAnswer = Math.floor(n / pairs) % 2 === 1
    return isAnswer ? { sender: upper, receiver: lower } : { sender: lower, receiver: upper }
  }
  /** The last message of a pair, counted from 0, and whether it is unread. */
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
    /** Enough for all purchases of a person. */
    welcome: (strata(sizes.purchases) + 1) * LESSON_PRICE + COURSE_PRICE + 1000,
    /** Number of attempted rows. The few that would be the person's own are skipped. */
    tries: (total: number) => Math.min(total, fans + strata(total) * users),
  }
}

/** Returns the time of row `n` of `count` in PostgreSQL's format, spread over the year 2025. */
export function momentOf(n: number, count: number): string {
  return new Date(BEGIN + Math.floor((n / Math.max(1, count)) * YEAR_MS)).toISOString()
}

/** Returns the id of a person, which only depends on the seed and the number. */
export function personId(seed: number, n: number): string {
  const part = (of: number) =>
    hash(seed, SALT.person * 16 + of, n)
      .toString(16)
      .padStart(8, '0')
  // The first part alone is unique, because every step of `hash` is a bijection.
  const [a, b, c, d] = [part(0), part(1), part(2), part(3)]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`
}
