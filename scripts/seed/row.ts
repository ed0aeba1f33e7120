/** What the rows of several tables have in common. */
import { FREE_SALT, hash, personId, type Content } from '#scripts/seed/content.ts'

/** Ids and names go on after what is there. */
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
  /** Rows that are tried. */
  readonly count: number
  /** One or several rows, each with its end of line; empty when there is none of this number. */
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
/** The name of a seeded person, from 1. */
export const nameOf = (n: number): string => `person${n}`

/** The title of lesson or course `n`, counted from 0. */
export function titleOf(seed: number, kind: 'lesson' | 'course', n: number): string {
  const value = hash(seed, FREE_SALT + (kind === 'lesson' ? 1 : 4), n)
  return `${SUBJECTS[value % SUBJECTS.length] ?? ''} ${ENDINGS[(value >>> 8) % ENDINGS.length] ?? ''}`
}

/** A row of these fields. */
export const line = (...fields: readonly (string | number)[]) => `${fields.join('\t')}\n`

/** What a row follows from. */
export type Of = readonly [content: Content, begin: Begin]
/** The id of person `n`, counted from 0. */
export const idOf = ([{ sizes }, begin]: Of, person: number) =>
  personId(sizes.seed, begin.person + person)
