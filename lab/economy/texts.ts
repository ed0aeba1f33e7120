/** Writes articles: the same key gives the same words, and other keys give articles that share no phrase. */
import { pick, randomFrom } from '#contract/random.ts'

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ')
const WORDS = 60
/** Words of a template from one gap to the next. */
const GAP = 15

const word = (random: () => number) =>
  pick(random, SYLLABLES) + pick(random, SYLLABLES) + pick(random, SYLLABLES)

/** What an article is made of: words of its own, or a template whose four gaps have words of their own. */
export interface Source {
  readonly key: string
  readonly template?: string | undefined
}

export const articleOf = ({ key, template }: Source): string =>
  template === undefined ? writeText(key) : fillTemplate(template, key)

function writeText(key: string): string {
  const random = randomFrom(`text ${key}`)
  return Array.from({ length: WORDS }, () => word(random)).join(' ')
}

function fillTemplate(template: string, key: string): string {
  const random = randomFrom(`gaps ${key}`)
  return writeText(template)
    .split(' ')
    .map((each, place) => (place % GAP === GAP - 1 ? word(random) : each))
    .join(' ')
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_'

export function videoOf(key: string): string {
  const random = randomFrom(`video ${key}`)
  const id = Array.from({ length: 11 }, () => pick(random, LETTERS.split(''))).join('')
  return `https://www.youtube.com/embed/${id}`
}
