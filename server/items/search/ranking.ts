/** Ranks the matches of a search and marks the words in the text that matches best. */
import type { Marked, Why } from '#contract/search.ts'
import type { Candidate } from '#server/items/search/candidates.ts'
import type { QueryWord } from '#server/items/search/query-words.ts'
import { placedWords } from '#server/items/words/words.ts'

export interface Ranked {
  readonly id: number
  readonly score: number
  readonly why: Why
  readonly marked: Marked
  /** True if the title contains the term, so that a search by title finds it too. */
  readonly isTitled: boolean
  /** The corrected term, if another spelling matched. */
  readonly spelling: string | null
}

/** Spoken words are found apart (spoken.ts). */
type Written = Exclude<Why, 'spoken'>

/** The weight of a word in each text. */
const WEIGHTS: Readonly<Record<Written, number>> = {
  title: 10,
  tag: 7,
  author: 5,
  description: 3,
  opening: 2,
}
/** Factors for other forms, longer words and other spellings of a word. */
const FORM = 0.9
const BEGINNING = 0.75
const SPELLING = 0.4
/** Bonuses for titles that equal the term or begin with its whole words. They exceed all other scores. */
const WHOLE_TITLE = 1000
const TITLE_BEGINS = 500

interface Text {
  readonly why: Written
  readonly text: string
}

/**
 * Sorts by score, then newest first. If all words are needed, items without all of them are left out, because an
 * author's items are candidates by the name alone.
 */
export function rank(
  candidates: readonly Candidate[],
  term: string,
  words: readonly QueryWord[],
  match: 'all' | 'any',
): Ranked[] {
  const answers = words.map(({ typed, forms, isPrefix, spellings }) => ({
    typed,
    forms: new Set(forms),
    isPrefix,
    spellings: new Set(spellings),
  }))
  const isOpen = words.some(({ typed, isPrefix }) => isPrefix && term.endsWith(typed))
  return candidates
    .flatMap((candidate) => {
      const best = judge(candidate, answers, term)
      if (best === null || (match === 'all' && best.answered < words.length)) return []
      const score = best.score * popularity(candidate) + startOf(candidate, term, isOpen)
      return [{ ...best, isTitled: candidate.titleFolded.includes(term), score }]
    })
    .toSorted((one, other) => other.score - one.score || other.id - one.id)
}

/** A mild factor: 32 purchases, the maximum that is counted, add half of the score. */
const popularity = ({ unlocks }: Candidate) => 1 + Math.log2(1 + unlocks) / 10

/** @param isOpen true if the last word of the term may be incomplete */
function startOf({ titleFolded }: Candidate, term: string, isOpen: boolean): number {
  if (titleFolded === term) return WHOLE_TITLE
  if (!titleFolded.startsWith(term)) return 0
  return !isOpen && /^[\p{L}\p{N}]/u.test(titleFolded.slice(term.length)) ? 0 : TITLE_BEGINS
}

interface Answer {
  readonly typed: string
  readonly forms: ReadonlySet<string>
  readonly isPrefix: boolean
  readonly spellings: ReadonlySet<string>
}

/** Returns null if no text has any of the words. */
function judge(candidate: Candidate, answers: readonly Answer[], term: string) {
  const texts: Text[] = [
    { why: 'title', text: candidate.title },
    ...candidate.tags.map((text) => ({ why: 'tag' as const, text })),
    { why: 'description', text: candidate.description },
    { why: 'author', text: candidate.author },
    { why: 'opening', text: candidate.opening ?? '' },
  ]
  const best = new Map<string, { weight: number; word: string; isSpelling: boolean }>()
  let strongest: (Pick<Ranked, 'id' | 'why' | 'marked'> & { score: number }) | null = null
  for (const { why, text } of texts) {
    const places: [number, number][] = []
    let score = 0
    for (const { word, from, to } of placedWords(text)) {
      const hits = answers.map((answer) => [answer.typed, qualityOf(word, answer)] as const)
      const quality = Math.max(...hits.map(([, each]) => each))
      if (quality === 0) continue
      places.push([from, to])
      for (const [typed, each] of hits) {
        const weight = each * WEIGHTS[why]
        score = Math.max(score, weight)
        if (weight > (best.get(typed)?.weight ?? 0))
          best.set(typed, { weight, word, isSpelling: each === SPELLING })
      }
    }
    if (places.length > 0 && (strongest === null || score > strongest.score))
      strongest = { id: candidate.id, why, marked: { text, places }, score }
  }
  if (strongest === null) return null
  let spelled = term
  for (const [typed, { word, isSpelling }] of best)
    if (isSpelling) spelled = spelled.replace(typed, word)
  return {
    ...strongest,
    answered: best.size,
    spelling: spelled === term ? null : spelled,
    score: [...best.values()].reduce((sum, { weight }) => sum + weight, 0),
  }
}

function qualityOf(word: string, { typed, forms, isPrefix, spellings }: Answer): number {
  if (word === typed) return 1
  if (forms.has(word)) return FORM
  if (isPrefix && word.startsWith(typed)) return BEGINNING
  return spellings.has(word) ? SPELLING : 0
}
