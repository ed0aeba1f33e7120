import { FREE_SALT, hash, personId, type Content } from '#scripts/seed/content.ts'

/** Ids and names continue after existing ones. */
export interface Begin {
  readonly person: number
  readonly lesson: number
  readonly course: number
  readonly coursePurchase: number
  readonly entry: number
  readonly comment: number
  readonly message: number
}

export interface SeedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Number of attempted rows. */
  readonly count: number
  /** Returns one or several rows with their line ends, or '' if row `n` is skipped. */
  readonly rowOf: (n: number) => string
}

const SUBJECTS = [
  'Guitar',
  'Algebra',
  'Bread',
  'Sketch',
  'Chess',
  'Latin',
  'Китара',
  'Оптика',
  'Тесто',
  'Физика',
]
const ENDINGS = [
  'basics',
  'at home',
  'step 1',
  'by ear',
  'today',
  'лесно',
  'за теб',
  'in depth',
  'live',
  'for all',
]
/** People are counted from 1. */
export const nameOf = (n: number): string => `person${n}`

/** Lessons and courses are counted from 0. */
export function titleOf(seed: number, kind: 'lesson' | 'course', n: number): string {
  const value = hash(seed, FREE_SALT + (kind === 'lesson' ? 1 : 4), n)
  return `${SUBJECTS[value % SUBJECTS.length] ?? ''} ${ENDINGS[(value >>> 8) % ENDINGS.length] ?? ''}`
}

/** Formats a row for `COPY`. */
export const line = (...fields: readonly (string | number)[]) => `${fields.join('\t')}\n`

export type Of = readonly [content: Content, begin: Begin]
/** People are counted from 0. */
export const idOf = ([{ sizes }, begin]: Of, person: number) =>
  personId(sizes.seed, begin.person + person)
