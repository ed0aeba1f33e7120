/** Judges a comment with a model: label, confidence, deciding words, language. */
import { featuresOf, type Feature } from './features.ts'
import { LABELS, type Label } from './labels.ts'
import { LANGUAGES, languageFeatures, type Language } from './language.ts'
import { greatest, score, softmax } from './linear.ts'
import type { Model } from './model.ts'
import { read, type Reading } from './reading.ts'

export interface Judged {
  readonly label: Label
  /** From 0 to 1. */
  readonly confidence: number
  /** Up to 8 deciding words as they are written in the text. */
  readonly why: readonly string[]
  readonly language: 'en' | 'bg' | null
}

const MOST_WORDS = 8
/** Share of TOXIC from which POSITIVE is excluded, so that a possible attack is never called praise. */
const SUSPICION = 0.12

/**
 * Confidence below which the label is UNKNOWN. In cross-validation, less than half of such labels were correct.
 */
const GUESS = 0.4

/** An emoticon. */
const FACE = /[:;=8xX][-^']?[)(DPp]|<3/u

/** Words with weight in the model that don't explain anything to a reader. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the and or of to in on at by for from with as that this it its is are was were be been am do does did have has
   had will would i me my we our us he she his her they them their there here if then than so what which who
   и на да се в във за с със от по че а е са си ще ми ти му ѝ й ме те го я ги ни ви им съм сме сте бе беше до при към
   като та тя той то те аз ние вие кой коя кое кои какво този тази това тези тоя тая или ли`.split(
    /\s+/u,
  ),
)

/** Returns the language of a text, or `none` if it contains no words. */
export function detectLanguageBy(model: Model, text: string): Language {
  const reading = read(text, model.vocabulary)
  if (reading.words.length === 0) return 'none'
  return LANGUAGES[greatest(softmax(score(model.languages, languageFeatures(reading))))] ?? 'none'
}

const unknown = (confidence: number): Judged => ({
  label: 'UNKNOWN',
  confidence,
  why: [],
  language: null,
})

/** Returns the pieces with the greatest weight for a label over the others, as they are written in the text. */
function explain(
  reading: Reading,
  model: Model,
  features: readonly Feature[],
  label: number,
): string[] {
  const credit = new Map<number, number>()
  score(model.opinions, features, (index, contributions) => {
    const from = features[index]?.from ?? []
    const own = contributions[label] ?? 0
    const others = contributions.reduce((sum, one) => sum + one, 0) - own
    const gain = own - others / (contributions.length - 1)
    for (const piece of from) credit.set(piece, (credit.get(piece) ?? 0) + gain / from.length)
  })
  const ranked = [...credit]
    .filter(([, gain]) => gain > 0)
    .toSorted(([, one], [, other]) => other - one)
  const least = (ranked[0]?.[1] ?? 0) / 5
  const words: string[] = []
  for (const [index, gain] of ranked) {
    const piece = reading.pieces[index]
    if (piece === undefined || piece.kind === 'code' || piece.kind === 'number') continue
    if (gain < least) break
    if (!words.includes(piece.raw)) words.push(piece.raw)
  }
  const explaining = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()))
  return (explaining.length > 0 ? explaining : words).slice(0, MOST_WORDS)
}

const LANGUAGE_BY_INDEX = new Map<number, 'en' | 'bg'>([
  [0, 'en'],
  [1, 'bg'],
])

/**
 * Judges a text with a model. Returns UNKNOWN for an unsupported language, for a text without words and emoticons,
 * and if the confidence is too low.
 */
export function judgeBy(model: Model, text: string): Judged {
  const reading = read(text, model.vocabulary)
  const hasWords = reading.words.length > 0
  const shares = hasWords ? softmax(score(model.languages, languageFeatures(reading))) : []
  const likeliest = greatest(shares)
  const language = hasWords ? (LANGUAGE_BY_INDEX.get(likeliest) ?? null) : null
  const hasSigns = reading.pieces.some(
    ({ kind, raw }) =>
      kind === 'emoji' || kind === 'code' || kind === 'link' || (kind === 'sign' && FACE.test(raw)),
  )
  if (hasWords ? language === null : !hasSigns)
    return unknown(hasWords ? (shares[likeliest] ?? 0) : 1)
  const features = featuresOf(reading, model.vocabulary)
  const chances = softmax(score(model.opinions, features).map((value) => value / model.temperature))
  const toxic = LABELS.indexOf('TOXIC')
  const allowed = chances.map((chance, index) =>
    LABELS[index] === 'POSITIVE' && (chances[toxic] ?? 0) > SUSPICION ? 0 : chance,
  )
  const best = greatest(allowed)
  const confidence = chances[best] ?? 0
  if (confidence < GUESS) return { ...unknown(confidence), language }
  return {
    label: LABELS[best] ?? 'UNKNOWN',
    confidence,
    why: explain(reading, model, features, best),
    language,
  }
}
