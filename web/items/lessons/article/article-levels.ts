/** An article's headings are shown below the heading of its page. The stored article doesn't change. */

const DEEPEST = 6

/**
 * Returns by how many levels the headings move down, so that the most important one is `<h{top}>` or below.
 * @param levels the article's levels, 1 to 6; if empty, nothing moves
 */
export const levelShift = (levels: readonly number[], top: number): number =>
  Math.max(0, top - Math.min(...levels))

export const shiftedLevel = (level: number, shift: number): number =>
  Math.min(DEEPEST, level + shift)

/**
 * Moves the headings of cleaned HTML to level `top` and below. `data-level` keeps the original level for CSS, so
 * that the article looks the same as in the editor.
 */
export function shiftHeadings(html: string, top: number): string {
  const levels = [...html.matchAll(/<h([1-6])>/g)].map(([, level]) => Number(level))
  const shift = levelShift(levels, top)
  // Cleaned HTML has no attributes, and "<" only in tags.
  return html.replaceAll(/<(\/?)h([1-6])>/g, (_tag, end: string, level: string) => {
    const shown = shiftedLevel(Number(level), shift)
    return end === '' ? `<h${shown} data-level="${level}">` : `</h${shown}>`
  })
}
