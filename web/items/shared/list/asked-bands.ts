import type { Band } from '#contract/limits.ts'
import { bandsOf, type BandOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.ts'

/** Converts the bands of a list's query to text, which the API takes. */
export function askedBands<Kind extends ItemKind>(
  kind: Kind,
  query: Readonly<Record<BandOf<Kind>, Band>>,
): Record<BandOf<Kind>, `${Band}`> {
  const entries = bandsOf(kind).map((name) => [name, `${query[name]}`])
  return Object.fromEntries(entries) as Record<BandOf<Kind>, `${Band}`>
}
