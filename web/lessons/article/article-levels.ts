/** An article begins below the heading of its page, whatever levels its writer chose; what is stored stays as written. */

const DEEPEST = 6

/**
 * How many levels down an article's headings go so that the highest of them is at least `top`.
 * `written`: the levels it holds, 1 to 6; none: nothing moves.
 */
export const shiftOf = (written: readonly number[], top: number): number =>
  Math.max(0, top - Math.min(...written))

/** The level at which a heading of level `written` is shown. */
export const shownLevel = (written: number, shift: number): number =>
  Math.min(DEEPEST, written + shift)

/**
 * Cleaned HTML whose headings begin at level `top`. Each says the level it was written with in `data-level`, which its
 * look goes by: a shifted article looks as it did in the editor.
 */
export function placeHeadings(html: string, top: number): string {
  const written = [...html.matchAll(/<h([1-6])>/g)].map(([, level]) => Number(level))
  const shift = shiftOf(written, top)
  // The cleaner leaves no attributes, and no "<" that is not a tag's.
  return html.replaceAll(/<(\/?)h([1-6])>/g, (_tag, end: string, level: string) => {
    const shown = shownLevel(Number(level), shift)
    return end === '' ? `<h${shown} data-level="${level}">` : `</h${shown}>`
  })
}
