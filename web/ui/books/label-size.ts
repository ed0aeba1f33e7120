/** Letters that the longest word of a label may have at its usual size, and at the next smaller one. */
const FITS = 12
const FITS_SMALL = 14

/**
 * How large a title is set on its label and above its page: smaller where its longest word would not stay in one
 * piece. Not every browser can hyphenate Bulgarian.
 */
export function labelSize(title: string): 'short' | 'long' | 'longest' {
  const longest = Math.max(...title.split(/[\s-]+/).map((word) => Array.from(word).length))
  if (longest > FITS_SMALL) return 'longest'
  return longest > FITS ? 'long' : 'short'
}
