/** The order of what a search finds, and why each stands there: the strongest text with the words' places in it. */
import type { Marked, Why } from '#contract/search.ts'
import type { Candidate } from '#server/search/candidates.ts'
import type { Meant } from '#server/search/spelling.ts'
import { placedWords } from '#server/words/words.ts'

export interface Ranked {
  readonly id: number
  readonly why: Why
  readonly marked: Marked
  /** The title does not contain what was typed: the search by title alone would miss it. */
  readonly isBeyondTitle: boolean
  /** What was probably meant, where another spelling found it. */
  readonly spelling: string | null
}

/** What a word weighs in a text: in titles most, in first words least. */
const WEIGHTS: Readonly<Record<Why, number>> = {
  title: 10,
  tag: 7,
  author: 5,
  description: 3,
  opening: 2,
}
/** A beginning weighs less than the word, another spelling least. */
const BEGINNING = 0.75
const SPELLING = 0.4
/** The title is what was typed, or begins with it: before everything else. */
const WHOLE_TITLE = 1000
const TITLE_BEGINS = 500

interface Text {
  readonly why: Why
  readonly text: string
}

/**
 * The best first; of equals the newest. Items without all words are left out where all must be found: an author's items
 * are candidates by the name alone.
 */
export function rank(
  candidates: readonly Candidate[],
  term: string,
  meant: readonly Meant[],
  match: 'all' | 'any',
): Ranked[] {
  const answers = meant.map(({ typed, exact, similar }) => ({
    typed,
    exact: new Set(exact),
    similar: new Set(similar),
  }))
  return candidates
    .flatMap((candidate) => {
      const best = judge(candidate, answers, term)
      if (best === null || (match === 'all' && best.answered < meant.length)) return []
      const score = best.score * popularity(candidate) + startOf(candidate, term)
      return [{ ...best, isBeyondTitle: !candidate.titleFolded.includes(term), score }]
    })
    .toSorted((one, other) => other.score - one.score || other.id - one.id)
    .map(({ id, why, marked, isBeyondTitle, spelling }) => ({
      id,
      why,
      marked,
      isBeyondTitle,
      spelling,
    }))
}

/** Mild: who is unlocked a hundred times weighs two thirds more. */
const popularity = ({ unlocks }: Candidate) => 1 + Math.log2(1 + unlocks) / 10

function startOf({ titleFolded }: Candidate, term: string): number {
  if (titleFolded === term) return WHOLE_TITLE
  return titleFolded.startsWith(term) ? TITLE_BEGINS : 0
}

interface Answer {
  readonly typed: string
  readonly exact: ReadonlySet<string>
  readonly similar: ReadonlySet<string>
}

/** Null where no text has any of the words. */
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

function qualityOf(word: string, { typed, exact, similar }: Answer): number {
  if (word === typed) return 1
  if (exact.has(word) || word.startsWith(typed)) return BEGINNING
  return similar.has(word) ? SPELLING : 0
}
