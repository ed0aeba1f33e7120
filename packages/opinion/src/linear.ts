/** A linear model: sorted hashes of features, and a weight of each for each label. */
import type { Feature } from './features.ts'

export interface Linear {
  readonly labels: number
  readonly bias: ArrayLike<number>
  /** Ascending. */
  readonly hashes: Uint32Array
  /** `labels` values per hash. */
  readonly weights: Float32Array
}

export function softmax(scores: ArrayLike<number>): number[] {
  const list = Array.from(scores)
  const top = Math.max(...list)
  const raised = list.map((value) => Math.exp(value - top))
  const sum = raised.reduce((total, value) => total + value, 0)
  return raised.map((value) => value / sum)
}

/** Returns the index of the greatest value. */
export function greatest(values: readonly number[]): number {
  let best = 0
  for (const [index, value] of values.entries()) if (value > (values[best] ?? 0)) best = index
  return best
}

/** Returns the index of a hash's first weight, or -1. */
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

/** Returns the score of each label. `tell` receives what each feature adds to each label. */
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
    // Allocates the list only if `tell` is given, because a comment has hundreds of features.
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
