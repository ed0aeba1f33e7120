/** Folding: the one form in which texts are searched and compared. Folded text is never shown. */

/** Leaves no mark on paper: joiners, soft hyphens, variation selectors, fillers, control characters, annotations. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]|(?!\s)\p{Cc}/gu

const SAME: readonly (readonly [folded: string, characters: string])[] = [
  ["'", '‘’‚‛‹›ʹʻʼʽˈ′‵`´'],
  ['"', '“”„‟«»″‶〝〞〟'],
  // U+002D among them is left as it is; the others are \p{Pd} and its look-alikes.
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
  // The blank of Braille looks like any other.
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
 * Without case, accents, strokes and invisible characters, with plain quotes, dashes and widths. Every character is
 * folded by itself, so й and и are one letter whatever form a text has. Upper case comes first, because lower case
 * alone keeps two forms of one letter (σ and ς).
 */
export function foldText(text: string): string {
  // Before NFKC, which makes blanks of ´ and several characters of ″.
  const plain = foldSame(text).normalize('NFKC').replaceAll(INVISIBLE, '')
  const lower = plain.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  return foldSame(lower.normalize('NFKD').replaceAll(/\p{M}/gu, ''))
}

/** Folds a search term, or a text that is stored to be searched, and leaves single blanks. Empty for no search. */
export function foldTerm(text: string): string {
  return foldText(text).replaceAll(/\s+/gu, ' ').trim()
}

/** A tag as it is compared: folded, without blanks. */
export function foldTag(tag: string): string {
  return foldText(tag).replaceAll(/\s+/gu, '')
}

/** A folded tag in lower case, as the first of some tags writes it. */
export function spellTag(folded: string, tags: readonly string[]): string {
  return tags.find((tag) => foldTag(tag) === folded)?.toLowerCase() ?? folded
}

/** A part of a text, as UTF-16 units: from, and up to but without. */
export interface Place {
  readonly from: number
  readonly to: number
}

/** A text folded, with the way back to the characters it was folded from. */
export interface FoldedText {
  readonly folded: string
  /** The place in the text of a part of `folded` that is not empty. */
  readonly placeOf: (from: number, to: number) => Place
}

/** Forms of characters beyond ASCII: folding them one by one is slow. */
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

/** Folds a text so that what is found in it can be marked. */
export function foldWithPlaces(text: string): FoldedText {
  let folded = ''
  let at = 0
  /** For each unit of `folded` the character that it comes from. */
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
