export interface Piece {
  /** The offset in the text. */
  readonly at: number
  readonly text: string
  readonly isMarked: boolean
}

const ENDS_IN_WORD = /[\p{L}\p{N}]$/u
const BEGINS_WORD = /^[\p{L}\p{N}]/u
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g

/** Finds whole words and phrases, ignoring case. The pieces join to the text. */
export function markWords(text: string, words: readonly string[]): readonly Piece[] {
  const patterns = words
    .map((word) => word.trim())
    .filter((word) => word !== '')
    // The longest come first, or a word would hide a phrase that begins with it.
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replaceAll(SPECIAL, String.raw`\$&`))
  if (patterns.length === 0) return [{ at: 0, text, isMarked: false }]
  const pieces: Piece[] = []
  let end = 0
  const add = (to: number, isMarked: boolean) => {
    if (to > end) pieces.push({ at: end, text: text.slice(end, to), isMarked })
    end = to
  }
  for (const { index, 0: found } of text.matchAll(new RegExp(patterns.join('|'), 'giu'))) {
    const behind = index + found.length
    // Checked separately, because letter classes in each alternative take milliseconds to compile.
    if (ENDS_IN_WORD.test(text.slice(0, index)) || BEGINS_WORD.test(text.slice(behind))) continue
    add(index, false)
    add(behind, true)
  }
  add(text.length, false)
  return pieces
}
