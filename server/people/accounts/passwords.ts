/** Hashes passwords by argon2id with OWASP's parameters, few at once, so that sign-ins never starve the pages. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash, verify } from '@node-rs/argon2'
import { PASSWORDS_AT_ONCE } from '#contract/limits.ts'
import { Queue, type Asker } from '#server/kernel/limits/queue.ts'

/** 19 MiB and two passes take about 30 ms of one core. The library's default algorithm is argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The 3,000 most common ones of at least 8 characters, in lower case (from SecLists). */
const common: ReadonlySet<string> = new Set(
  readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
    .trimEnd()
    .split('\n'),
)

/** Words of this product, which attackers guess first, with any digits and signs around them. */
const SITE_WORDS: ReadonlySet<string> = new Set([
  'knowledge',
  'bazaar',
  'knowledgebazaar',
  'bazaarknowledge',
  'kbpoints',
  'lesson',
  'lessons',
  'course',
  'courses',
  'знание',
  'знания',
  'базар',
  'базарназнания',
  'базарназнанието',
  'точки',
  'урок',
  'уроци',
  'курс',
  'курсове',
])

/** Returns true for a common password, or for a word of this product with digits and signs, regardless of case. */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize('NFKC').toLowerCase()
  return common.has(folded) || SITE_WORDS.has(folded.replaceAll(/[^\p{L}]/gu, ''))
}

const queue = new Queue(PASSWORDS_AT_ONCE)

/** @throws Refusal 503 when too many wait */
export function hashPassword(password: string, asker: Asker): Promise<string> {
  return queue.run(asker, () => hash(password.normalize('NFC'), COST))
}

let decoy: Promise<string> | undefined

/**
 * Without a hash (an unknown person, or one without a password) it takes the same time and returns false.
 * @throws Refusal 503 when too many wait
 */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
  asker: Asker,
): Promise<boolean> {
  decoy ??= hash('nobody has this password', COST)
  // People who sign in only by a provider have an empty hash.
  const hasOne = stored !== undefined && stored !== ''
  const against = hasOne ? stored : await decoy
  const fits = await queue.run(asker, () => verify(against, password.normalize('NFC')))
  return fits && hasOne
}
