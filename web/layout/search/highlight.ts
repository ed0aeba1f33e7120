/** A piece of a title; `hit` pieces are what was typed. */
export interface Piece {
  readonly text: string
  readonly hit: boolean
}

/** Without case and accents, as the search compares: one sign of the title may become several or none. */
const fold = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase()

/** Cuts a title round the first place of what was typed; the pieces together are the title. */
export function cutAtMatch(title: string, typed: string): readonly Piece[] {
  const wanted = fold(typed.trim())
  const signs = Array.from(title)
  const folded = signs.map(fold)
  const at = wanted === '' ? -1 : folded.join('').indexOf(wanted)
  if (at === -1) return [{ text: title, hit: false }]
  const from = signAt(folded, at)
  // Signs that fold to nothing (an accent of its own) belong to the letter before them.
  let to = signAt(folded, at + wanted.length - 1) + 1
  while (to < signs.length && folded[to] === '') to += 1
  const cut = (start: number, end?: number) => signs.slice(start, end).join('')
  const pieces = [
    { text: cut(0, from), hit: false },
    { text: cut(from, to), hit: true },
    { text: cut(to), hit: false },
  ]
  return pieces.filter(({ text }) => text !== '')
}

/** The sign whose folded form covers a place of the folded text. */
function signAt(folded: readonly string[], place: number): number {
  let end = 0
  return folded.findIndex((form) => (end += form.length) > place)
}
