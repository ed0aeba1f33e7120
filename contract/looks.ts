/** Whether two texts look the same to a reader, letter by letter; case and accents are seen. */
import { squeeze } from '#contract/measure.ts'

/** Cyrillic and Greek letters and other characters that are drawn like the ones below them. */
const ALIKE: readonly (readonly [characters: string, like: string])[] = [
  ['аеорсухіјѕһԁԛԝѵοϲϳ', 'aeopcyxijshdqwvocj'],
  ['АВЕКМНОРСТУХІЈЅԌ', 'ABEKMHOPCTYXIJSG'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ['\u2010\u2011\u00b5ǃ', '--μ!'],
]
const LIKE = new Map(
  ALIKE.flatMap(([characters, like]) =>
    Array.from(characters, (character, place) => [character, like[place] ?? character] as const),
  ),
)

/** One key for all texts that look the same. Never shown. */
export function lookOf(text: string): string {
  const seen = squeeze(text.normalize('NFD'))
  return Array.from(seen, (character) => LIKE.get(character) ?? character).join('')
}
