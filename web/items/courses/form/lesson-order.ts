/** Returns a copy in which one item is moved to another place. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const moved = items.slice(from, from + 1)
  const rest = items.filter((_, index) => index !== from)
  return [...rest.slice(0, to), ...moved, ...rest.slice(to)]
}

export interface RowBox {
  readonly top: number
  readonly height: number
}

/**
 * Returns the new index of a row dragged by `shift` px (negative is up). It moves past each row whose middle its edge
 * has crossed.
 */
export function indexAfterDrag(rows: readonly RowBox[], from: number, shift: number): number {
  const dragged = rows[from]
  if (dragged === undefined) return from
  const top = dragged.top + shift
  const bottom = top + dragged.height
  const middle = (row: RowBox) => row.top + row.height / 2
  const above = rows.slice(0, from).filter((row) => top < middle(row)).length
  const below = rows.slice(from + 1).filter((row) => bottom > middle(row)).length
  return from - above + below
}
