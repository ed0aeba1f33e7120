/** Returns a copy in which one item is moved to another place. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const moved = items.slice(from, from + 1)
  const rest = items.filter((_, place) => place !== from)
  return [...rest.slice(0, to), ...moved, ...rest.slice(to)]
}

export interface Row {
  readonly top: number
  readonly height: number
}

/**
 * Returns the place of a row that was dragged down by `shift` px. It passes rows whose middle its edge crossed.
 */
export function placeOf(rows: readonly Row[], from: number, shift: number): number {
  const carried = rows[from]
  if (carried === undefined) return from
  const top = carried.top + shift
  const bottom = top + carried.height
  const middle = (row: Row) => row.top + row.height / 2
  const above = rows.slice(0, from).filter((row) => top < middle(row)).length
  const below = rows.slice(from + 1).filter((row) => bottom > middle(row)).length
  return from - above + below
}
