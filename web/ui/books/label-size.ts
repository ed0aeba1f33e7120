/** The longest word may have this many letters at the normal size, and at the smaller one. */
const FITS = 12
const FITS_SMALL = 14

/** Shrinks a title whose longest word would break, because some browsers cannot hyphenate Bulgarian. */
export function labelSize(title: string): 'short' | 'long' | 'longest' {
  const longest = Math.max(...title.split(/[\s-]+/).map((word) => Array.from(word).length))
  if (longest > FITS_SMALL) return 'longest'
  return longest > FITS ? 'long' : 'short'
}
