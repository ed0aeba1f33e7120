/** Folding gives texts a common form for search and comparison. Folded text is never shown. */

/**
 * Characters without a visible mark: joiners, soft hyphens, variation selectors, fillers, control characters,
 * annotations.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]|(?!\s)\p{Cc}/gu

const SAME: readonly (readonly [folded: string, characters: string])[] = [
  ["'", '‘’‚‛‹›ʹʻʼʽˈ′‵`´'],
  ['"', '“”„‟«»″‶〝〞〟'],
  // Maps \p{Pd} and its look-alikes to U+002D.
  ['-', '\u058a\u05be\u1400\u1806\u2010\u2011\u2012–—―⸗⸚⸺⸻⹀⹝〜〰゠−⁃'],
  ['x', '×✕✖⨯╳'],
  ['/', '⁄∕'],
  ['a', 'ⱥ'],
  ['b', 'ƀ'],
  ['c', 'ȼ'],
  ['d', 'đð'],
  ['e', 'ɇ'],
  ['g', 'ǥ'],
  ['h', 'ħ'],
  ['i', 'ɨ'],
  ['j', 'ɉ'],
  ['l', 'łƚ'],
  ['o', 'øɵ'],
  ['r', 'ɍ'],
  ['t', 'ŧⱦ'],
  ['u', 'ʉ'],
  ['y', 'ɏ'],
  ['z', 'ƶ'],
  ['ae', 'æ'],
  ['oe', 'œ'],
  ['ss', 'ß'],
  ['th', 'þ'],
  // The Braille blank looks like any other space.
  [' ', '\u2800'],
]

const SAME_AS = new Map(
  SAME.flatMap(([folded, characters]) =>
    Array.from(characters, (character) => [character, folded] as const),
  ),
)
const HAS_SAME = new RegExp(`[${[...SAME_AS.keys()].join('')}]`, 'gu')

/** Characters that folded text never contains, because each is folded to another one. */
export const FOLDED_AWAY: readonly string[] = [...SAME_AS.keys()]

const foldSame = (text: string) => text.replaceAll(HAS_SAME, (one) => SAME_AS.get(one) ?? one)

/**
 * Removes case, accents, strokes and invisible characters, and simplifies quotes, dashes and widths. Folds each
 * character separately, so that й and и are the same in any Unicode form. Converts to upper case first, because
 * lower case alone keeps two forms of one letter (σ and ς).
 */
export function foldText(text: string): string {
  // Runs before NFKC, which turns ´ into a space and ″ into several characters.
  const plain = foldSame(text).normalize('NFKC').replaceAll(INVISIBLE, '')
  const lower = plain.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  return foldSame(lower.normalize('NFKD').replaceAll(/\p{M}/gu, ''))
}

/** Folds a search term or a stored searchable text, and collapses spaces. Returns '' if nothing is left. */
export function foldTerm(text: string): string {
  return foldText(text).replaceAll(/\s+/gu, ' ').trim()
}

/** Folds a tag for comparison and removes its spaces. */
export function foldTag(tag: string): string {
  return foldText(tag).replaceAll(/\s+/gu, '')
}

/** Returns the lower-case spelling that the first matching tag uses. */
export function spellTag(folded: string, tags: readonly string[]): string {
  return tags.find((tag) => foldTag(tag) === folded)?.toLowerCase() ?? folded
}

/** A range in UTF-16 units, excluding `to`. */
export interface Place {
  readonly from: number
  readonly to: number
}

/** A folded text that can map ranges back to the original. */
export interface FoldedText {
  readonly folded: string
  /** Maps a non-empty range of `folded` to the original text. */
  readonly placeOf: (from: number, to: number) => Place
}

/** Caches non-ASCII characters, because folding them one at a time is slow. */
const forms = new Map<string, string>()
const MOST_FORMS = 4096

function foldCharacter(character: string): string {
  if (character < '\u007f' && character > ' ' && character !== '`') return character.toLowerCase()
  const known = forms.get(character)
  if (known !== undefined) return known
  const form = foldText(character)
  if (forms.size < MOST_FORMS) forms.set(character, form)
  return form
}

/** Folds a text so that matches can be highlighted in the original. */
export function foldWithPlaces(text: string): FoldedText {
  let folded = ''
  let at = 0
  /** The source character of each unit of `folded`. */
  const places: Place[] = []
  for (const character of text) {
    const form = foldCharacter(character)
    const last = places.at(-1)
    // A character that folds to nothing, such as a combining accent, belongs to the letter before it.
    if (form === '' && last !== undefined && last.to === at)
      places[places.length - 1] = { from: last.from, to: at + character.length }
    for (let unit = 0; unit < form.length; unit += 1)
      places.push({ from: at, to: at + character.length })
    folded += form
    at += character.length
  }
  return {
    folded,
    placeOf: (from, to) => ({ from: places[from]?.from ?? at, to: places[to - 1]?.to ?? at }),
  }
}
