/** Judges a comment by a model: label, confidence, the words that decided, language. */
import { featuresOf, type Feature } from './features.ts'
import { LABELS } from './labels.ts'
import { languageFeatures } from './language.ts'
import { greatest, score, softmax } from './linear.ts'
import type { Model } from './model.ts'
import type { Opinion } from './opinion.ts'
import { read, type Reading } from './reading.ts'

export type Judged = Omit<Opinion, 'model'>

const MOST_WORDS = 8
/** A text that may be an attack is never called praise: the share of TOXIC from which POSITIVE is out. */
const SUSPICION = 0.12

/** A face or a heart of signs. */
const FACE = /[:;=8xX][-^']?[)(DPp]|<3/u

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
    if (gain < least || words.length === MOST_WORDS) break
    if (!words.includes(piece.raw)) words.push(piece.raw)
  }
  return words
}

const LANGUAGE_BY_INDEX = new Map<number, 'en' | 'bg'>([
  [0, 'en'],
  [1, 'bg'],
])

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
  return {
    label: LABELS[best] ?? 'UNKNOWN',
    confidence: chances[best] ?? 0,
    why: explain(reading, model, features, best),
    language,
  }
}
