/** Normalises the words of a comment, undoes disguises, and detects the language of each word. */
import { foldLetters, readings, toCyrillic } from './letters.ts'
import { split, type Piece } from './split.ts'
import type { Vocabulary } from './vocabulary.ts'
import { KNOWN } from './vocabulary.ts'

export interface Word {
  readonly piece: Piece
  /** Normalised spelling: English in Latin, Bulgarian in Cyrillic. */
  readonly form: string
  readonly bits: number
  /** True if the writer disguised the word with stars, digits, symbols or foreign letters. */
  readonly disguised: boolean
}

export interface Reading {
  readonly pieces: readonly Piece[]
  readonly words: readonly Word[]
  /** Number of letters in known English and Bulgarian words. */
  readonly english: number
  readonly bulgarian: number
  /** Number of letters in all words. */
  readonly letters: number
}

interface Draft {
  readonly piece: Piece
  readonly folded: string
  readonly latin: boolean
  /** The first known reading in English or Cyrillic. */
  readonly direct: string | undefined
  /** The Bulgarian word that a Latin one sounds like. */
  readonly heard: string | undefined
  readonly fallback: string
}

const CYRILLIC = /\p{Script=Cyrillic}/u
const MOST_MASKS = 20

function draft(piece: Piece, vocabulary: Vocabulary, masks: { left: number }): Draft {
  const folded = foldLetters(piece.read)
  const candidates = readings(folded)
  let direct = candidates.find((candidate) => vocabulary.of(candidate) !== 0)
  if (direct === undefined && folded.includes('*') && masks.left > 0) {
    masks.left -= 1
    for (const candidate of candidates) direct ??= vocabulary.unmask(candidate)
  }
  const latin = !CYRILLIC.test(folded)
  const inside = /\p{L}[\d@$!|]+\p{L}/u.test(folded)
  const fallback = candidates.findLast(
    (candidate) => /^\p{L}+$/u.test(candidate) && (inside || !/\d/u.test(folded)),
  )
  return {
    piece,
    folded,
    latin,
    direct,
    heard:
      latin && folded.length > 1
        ? candidates
            .map((candidate) => vocabulary.bySound(candidate))
            .find((word) => word !== undefined)
        : undefined,
    fallback: /(.)\1\1/u.test(folded) || inside ? (fallback ?? folded) : folded,
  }
}

/** Positive if the Latin words are English, negative if they are transliterated Bulgarian. */
function leaning(drafts: readonly Draft[]): number {
  let lean = 0
  for (const { latin, direct, heard, folded } of drafts) {
    if (!latin) continue
    const length = Math.min(folded.length, 8)
    if (direct !== undefined && heard === undefined) lean += length
    else if (direct === undefined && heard !== undefined) lean -= length
    else if (direct !== undefined) lean += 0.25 * length
    else if (/[46]\p{L}|\p{L}[46]|q(?!u)/u.test(folded)) lean -= 2
  }
  return lean
}

function settle(one: Draft, bulgarian: boolean): string {
  if (!one.latin) return one.direct ?? one.fallback
  if (bulgarian) return one.heard ?? one.direct ?? toCyrillic(one.fallback)
  return (
    one.direct ?? (one.heard !== undefined && one.folded.length >= 5 ? one.heard : one.fallback)
  )
}

/**
 * Splits a text and normalises its words. Latin words count as English or as transliterated Bulgarian, whichever
 * the majority of the text suggests.
 */
export function read(text: string, vocabulary: Vocabulary): Reading {
  const pieces = split(text)
  const masks = { left: MOST_MASKS }
  const drafts = pieces
    .filter((piece) => piece.kind === 'word')
    .map((piece) => draft(piece, vocabulary, masks))
  const bulgarianLatin = leaning(drafts) < 0
  const words: Word[] = []
  let english = 0
  let bulgarian = 0
  let letters = 0
  for (const one of drafts) {
    const form = settle(one, bulgarianLatin)
    const bits = vocabulary.of(form)
    const length = Math.min(form.length, 12)
    letters += length
    if ((bits & KNOWN.english) !== 0) english += length
    if ((bits & KNOWN.bulgarian) !== 0) bulgarian += length
    const disguised =
      form !== one.folded && !one.latin === !/[a-z]/u.test(one.folded)
        ? /[\d@$*!|]|[a-z].*[а-я]|[а-я].*[a-z]/u.test(one.folded) ||
          one.piece.read !== one.piece.raw
        : one.piece.read !== one.piece.raw || /[a-z].*[а-я]|[а-я].*[a-z]/u.test(one.folded)
    words.push({ piece: one.piece, form, bits, disguised })
  }
  return { pieces, words, english, bulgarian, letters }
}
