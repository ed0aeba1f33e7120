/** Judges a comment by a model: label, confidence, the words that decided, language. */
import { featuresOf, type Feature } from '#server/opinion/features.ts'
import { LABELS } from '#server/opinion/labels.ts'
import { LANGUAGES, languageFeatures } from '#server/opinion/language.ts'
import { greatest, score, softmax } from '#server/opinion/linear.ts'
import type { Model } from '#server/opinion/model.ts'
import type { Opinion } from '#server/opinion/opinion.ts'
import { read, type Reading } from '#server/opinion/reading.ts'

export type Judged = Omit<Opinion, 'model'>

const MOST_WORDS = 8
/** A text that may be an attack is never called praise: the share of TOXIC from which POSITIVE is out. */
const SUSPICION = 0.12

/** Below this a label would be a guess: of cross-validated texts less than half are right there. */
const GUESS = 0.4

/** A face or a heart of signs. */
const FACE = /[:;=8xX][-^']?[)(DPp]|<3/u

/** Words that carry others: they weigh, but tell a reader nothing. */
const CARRIERS: ReadonlySet<string> = new Set(
  `a an the and or of to in on at by for from with as that this it its is are was were be been am do does did have has
   had will would i me my we our us he she his her they them their there here if then than so what which who
   и на да се в във за с със от по че а е са си ще ми ти му ѝ й ме те го я ги ни ви им съм сме сте бе беше до при към
   като та тя той то те аз ние вие кой коя кое кои какво този тази това тези тоя тая или ли`.split(
    /\s+/u,
  ),
)

/** What a text is in; `none`: it has no words. */
export function hear(model: Model, text: string): (typeof LANGUAGES)[number] {
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

/** The pieces with the greatest weight for a label over the others, as they stand in the text. */
function explain(
  reading: Reading,
  model: Model,
  features: readonly Feature[],
  label: number,
): string[] {
  const credit = new Map<number, number>()
  score(model.opinions, features, (index, gifts) => {
    const from = features[index]?.from ?? []
    const others = gifts.reduce((sum, gift) => sum + gift, 0) - (gifts[label] ?? 0)
    const gain = (gifts[label] ?? 0) - others / (gifts.length - 1)
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
  const telling = words.filter((word) => !CARRIERS.has(word.toLowerCase()))
  return (telling.length > 0 ? telling : words).slice(0, MOST_WORDS)
}

const LANGUAGE_BY_INDEX = new Map<number, 'en' | 'bg'>([
  [0, 'en'],
  [1, 'bg'],
])

/**
 * Judges a text by a model. The label is UNKNOWN for a language that the model does not know, for a text with neither
 * words nor faces, and where the model is not sure enough.
 */
export function judgeBy(model: Model, text: string): Judged {
  const reading = read(text, model.vocabulary)
  const spoken = reading.words.length > 0
  const shares = spoken ? softmax(score(model.languages, languageFeatures(reading))) : []
  const tongue = greatest(shares)
  const language = spoken ? (LANGUAGE_BY_INDEX.get(tongue) ?? null) : null
  const drawn = reading.pieces.some(
    ({ kind, raw }) =>
      kind === 'emoji' || kind === 'code' || kind === 'link' || (kind === 'sign' && FACE.test(raw)),
  )
  if (spoken ? language === null : !drawn) return unknown(spoken ? (shares[tongue] ?? 0) : 1)
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
