/** Lines in one part of a list. The browser lays out only the parts in view (`content-visibility`). */
const PART = 50

export interface Part<Line> {
  /** The place of its first line in the list. */
  readonly first: number
  readonly lines: readonly Line[]
}

export function partsOf<Line>(lines: readonly Line[]): Part<Line>[] {
  return Array.from({ length: Math.ceil(lines.length / PART) }, (_, place) => ({
    first: place * PART,
    lines: lines.slice(place * PART, (place + 1) * PART),
  }))
}

/** Returns the button of a line in a rendered list of parts. */
export function lineAt(list: Element, place: number): HTMLElement | null {
  const line = list.children[Math.floor(place / PART)]?.children[place % PART]?.firstElementChild
  return line instanceof HTMLElement ? line : null
}
