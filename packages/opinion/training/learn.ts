/** Multinomial logistic regression. The same examples in the same order give bit-identical weights. */
import type { Feature } from '../src/features.ts'
import { softmax, type Linear } from '../src/linear.ts'

export interface Example {
  readonly features: readonly Pick<Feature, 'hash' | 'value'>[]
  readonly label: number
  /** Defaults to 1. */
  readonly weight?: number
}

/** mulberry32. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Returns a shuffled copy (Fisher-Yates). */
export function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const shuffled = [...items]
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1))
    const known = shuffled[index]
    const taken = shuffled[other]
    if (known !== undefined && taken !== undefined) {
      shuffled[index] = taken
      shuffled[other] = known
    }
  }
  return shuffled
}

export interface Learning {
  readonly labels: number
  readonly rounds: number
  /** Learning rate of AdaGrad. */
  readonly rate: number
  /** L2 regularisation per example. */
  readonly pull: number
  /** Minimum number of examples with a feature. */
  readonly rarest: number
  readonly seed: number
}

/** Trains with AdaGrad, shuffling the examples in each round. The same examples and seed give the same weights. */
export function learn(examples: readonly Example[], settings: Learning): Linear {
  const { labels, rounds, rate, pull, rarest } = settings
  const seen = new Map<number, number>()
  for (const { features } of examples)
    for (const { hash } of features) seen.set(hash, (seen.get(hash) ?? 0) + 1)
  const slots = new Map<number, number>()
  for (const [hash, count] of seen) if (count >= rarest) slots.set(hash, slots.size)
  const rows = examples.map(({ features, label, weight = 1 }) => {
    const known = features.filter(({ hash }) => slots.has(hash))
    return {
      slots: Uint32Array.from(known, ({ hash }) => slots.get(hash) ?? 0),
      values: Float64Array.from(known, ({ value }) => value),
      label,
      weight,
    }
  })
  const weights = new Float64Array(slots.size * labels)
  const squares = new Float64Array(slots.size * labels).fill(1e-6)
  const bias = new Float64Array(labels)
  const biasSquares = new Float64Array(labels).fill(1e-6)
  const random = createRandom(settings.seed)
  const scores = new Float64Array(labels)
  for (let round = 0; round < rounds; round += 1) {
    for (const row of shuffle(rows, random)) {
      scores.set(bias)
      for (let index = 0; index < row.slots.length; index += 1) {
        const slot = (row.slots[index] ?? 0) * labels
        const value = row.values[index] ?? 0
        for (let label = 0; label < labels; label += 1)
          scores[label] = (scores[label] ?? 0) + value * (weights[slot + label] ?? 0)
      }
      const shares = softmax(scores)
      for (let label = 0; label < labels; label += 1) {
        const error = row.weight * ((shares[label] ?? 0) - (row.label === label ? 1 : 0))
        biasSquares[label] = (biasSquares[label] ?? 0) + error * error
        bias[label] = (bias[label] ?? 0) - (rate * error) / Math.sqrt(biasSquares[label] ?? 1)
        for (let index = 0; index < row.slots.length; index += 1) {
          const slot = (row.slots[index] ?? 0) * labels + label
          const slope = error * (row.values[index] ?? 0) + pull * (weights[slot] ?? 0)
          squares[slot] = (squares[slot] ?? 0) + slope * slope
          weights[slot] = (weights[slot] ?? 0) - (rate * slope) / Math.sqrt(squares[slot] ?? 1)
        }
      }
    }
  }
  const hashes = Uint32Array.from(slots.keys()).toSorted()
  const ordered = new Float32Array(weights.length)
  for (const [index, hash] of hashes.entries()) {
    const slot = (slots.get(hash) ?? 0) * labels
    ordered.set(weights.subarray(slot, slot + labels), index * labels)
  }
  return { labels, bias, hashes, weights: ordered }
}
