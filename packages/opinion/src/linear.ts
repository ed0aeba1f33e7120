/** A linear model: sorted hashes of features, and a weight of each for each label. */
import type { Feature } from './features.ts'

export interface Linear {
  readonly labels: number
  readonly bias: ArrayLike<number>
  /** Ascending. */
  readonly hashes: Uint32Array
  /** `labels` numbers a hash. */
  readonly weights: Float32Array
}

/** Scores to shares of 1. */
export function softmax(scores: ArrayLike<number>): number[] {
  const list = Array.from(scores)
  const top = Math.max(...list)
  const raised = list.map((value) => Math.exp(value - top))
  const sum = raised.reduce((total, value) => total + value, 0)
  return raised.map((value) => value / sum)
}

/** The index of the greatest. */
export function greatest(values: readonly number[]): number {
  let best = 0
  for (const [index, value] of values.entries()) if (value > (values[best] ?? 0)) best = index
  return best
}

/** Where the weights of a hash begin, -1 when it has none. */
function find({ hashes, labels }: Linear, hash: number): number {
  let low = 0
  let high = hashes.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = hashes[middle] ?? 0
    if (found === hash) return middle * labels
    if (found < hash) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** The score of each label. `tell` gets what each feature adds to each label. */
export function score(
  model: Linear,
  features: readonly Pick<Feature, 'hash' | 'value'>[],
  tell?: (feature: number, contributions: readonly number[]) => void,
): number[] {
  const { labels, weights } = model
  const scores = Array.from(model.bias)
  for (const [index, { hash, value }] of features.entries()) {
    const at = find(model, hash)
    if (at < 0) continue
    // A list only where somebody asks for it: a comment has hundreds of features.
    for (let label = 0; label < labels; label += 1)
      scores[label] = (scores[label] ?? 0) + (weights[at + label] ?? 0) * value
    if (tell === undefined) continue
    const contributions: number[] = []
    for (let label = 0; label < labels; label += 1)
      contributions.push((weights[at + label] ?? 0) * value)
    tell(index, contributions)
  }
  return scores
}
