/** Normalises disguised letters and transliterated Bulgarian. */
import { plainTwin } from './look-alikes.ts'

/** Confusable characters that people use, Latin for Cyrillic. */
const TWINS = new Map<string, string>(
  [...'аaбbвbеeззиuкkмmнhоoпnрpсcтtуyхxіiјjѕsԁdһhѵvԝw'.matchAll(/(.)(.)/gu)].map(
    ([, cyrillic = '', latin = '']) => [cyrillic, latin],
  ),
)
const TO_CYRILLIC = new Map<string, string>(
  [
    'aа',
    'eе',
    'oо',
    'pр',
    'cс',
    'yу',
    'xх',
    'kк',
    'mм',
    'tт',
    'hн',
    'bв',
    'iи',
    'uи',
    'nп',
    'jй',
    'gд',
  ].map((pair) => [pair.charAt(0), pair.charAt(1)]),
)
const LEET_LATIN = new Map(
  ['0o', '1i', '3e', '4a', '5s', '6g', '7t', '8b', '9g', '@a', '$s', '!i', '|i'].map((pair) => [
    pair.charAt(0),
    pair.charAt(1),
  ]),
)
const LEET_CYRILLIC = new Map(
  ['0о', '1и', '3з', '4а', '6б', '8в', '@а', '$с', '!и', '|и'].map((pair) => [
    pair.charAt(0),
    pair.charAt(1),
  ]),
)

const CYRILLIC = /\p{Script=Cyrillic}/u
const LATIN = /[a-z]/u

const turn = (word: string, table: ReadonlyMap<string, string>) => {
  let result = ''
  for (const letter of word) result += table.get(letter) ?? letter
  return result
}

const plainLetters = new Map<string, string>()

/** Returns the Latin or Cyrillic letter that another letter looks like. */
function plain(letter: string): string {
  if (/[a-z0-9а-я@$*!|'’-]/u.test(letter)) return letter
  const known = plainLetters.get(letter)
  if (known !== undefined) return known
  const base = letter.normalize('NFKD').replace(/\p{M}/gu, '')
  // i and l look alike, and people disguise i more often.
  const twin = /^[a-z0-9а-я]+$/u.test(base)
    ? base
    : (TWINS.get(base) ?? plainTwin(letter).replace('l', 'i'))
  const result = /^[a-z0-9а-я]{1,2}$/u.test(twin) ? twin : letter
  if (plainLetters.size < 5_000) plainLetters.set(letter, result)
  return result
}

/**
 * Converts to lower case, removes invisible characters and accents (й is a letter), and replaces confusable
 * characters.
 */
export function foldLetters(word: string): string {
  const folded = word
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
  let result = ''
  for (const letter of folded) if (letter !== '’' && letter !== "'") result += plain(letter)
  return result.replace(/\p{M}/gu, '').slice(0, 40)
}

/** Returns what a folded word may mean, most likely first. The word itself is always first. */
export function readings(word: string): string[] {
  const found = new Set([word])
  const add = (reading: string) => {
    found.add(reading)
    if (/(.)\1\1/u.test(reading)) {
      found.add(reading.replace(/(.)\1{2,}/gu, '$1$1'))
      found.add(reading.replace(/(.)\1{2,}/gu, '$1'))
    }
    if (/(.)\1/u.test(reading)) found.add(reading.replace(/(.)\1+/gu, '$1'))
  }
  add(word)
  const disguised = /[\d@$!|]/u.test(word)
  const cyrillic = CYRILLIC.test(word)
  const latin = LATIN.test(word)
  if (cyrillic && latin) {
    add(turn(word, TO_CYRILLIC))
    add(turn(word, TWINS))
  }
  if (disguised) {
    if (cyrillic) {
      add(turn(turn(word, TO_CYRILLIC), LEET_CYRILLIC))
      add(turn(turn(word, TO_CYRILLIC), new Map([...LEET_CYRILLIC, ['4', 'ч'], ['6', 'ш']])))
    }
    if (latin || !cyrillic) {
      const turned = turn(cyrillic ? turn(word, TWINS) : word, LEET_LATIN)
      add(turned)
      add(turn(word, new Map([...LEET_LATIN, ['1', 'l'], ['!', 'l']])))
    }
  }
  return [...found]
}

/** Letters and letter groups by their approximate sound in Bulgarian, in both alphabets. */
const SOUNDS = new Map<string, string>(
  Object.entries({
    Ш: 'щ ш sht sh 6t 6',
    Ч: 'ч ch 4',
    Я: 'я ю ya yu ia iu ja ju q',
    О: 'ьо йо yo io jo',
    j: 'ж zh j',
    c: 'ц ts c',
    h: 'х h x',
    v: 'в w v',
    i: 'и й i',
    a: 'а a ъ у u',
    e: 'э е e',
    o: 'о o',
    b: 'б b',
    g: 'г g',
    d: 'д d',
    z: 'з z',
    k: 'к k',
    l: 'л l',
    m: 'м m',
    n: 'н n',
    p: 'п p',
    r: 'р r',
    s: 'с s',
    t: 'т t',
    f: 'ф f',
  }).flatMap(([sound, groups]) => groups.split(' ').map((group) => [group, sound] as const)),
)
const VOWELS = 'aeiouаеиоуъ'
const LONGEST_GROUP = 3

/**
 * Returns the approximate sound of a Bulgarian word in either alphabet: `тъпак`, `tupak`, `typak` and `tapak` are
 * the same.
 */
export function soundOf(word: string): string {
  let sound = ''
  for (let at = 0; at < word.length;) {
    let length = LONGEST_GROUP
    while (length > 1 && !(at + length <= word.length && SOUNDS.has(word.slice(at, at + length)))) {
      length -= 1
    }
    const letter = word.charAt(at)
    let next = SOUNDS.get(word.slice(at, at + length)) ?? (letter === 'ь' ? '' : letter)
    if (letter === 'y' && length === 1) {
      const neighbour =
        VOWELS.includes(word.charAt(at - 1) || '-') || VOWELS.includes(word.charAt(at + 1) || '-')
      next = neighbour ? 'i' : 'a'
    }
    if (!sound.endsWith(next)) sound += next
    at += length
  }
  return sound
}

const SPELLING: readonly (readonly [RegExp, string])[] = [
  [/sht|6t/gu, 'щ'],
  [/sh|6/gu, 'ш'],
  [/ch|4/gu, 'ч'],
  [/zh|j/gu, 'ж'],
  [/ts/gu, 'ц'],
  [/ya|ia|q/gu, 'я'],
  [/yu|iu/gu, 'ю'],
  [/yo|io/gu, 'йо'],
  [/(?<=[aeiou])[iy]/gu, 'й'],
  [/y/gu, 'ъ'],
  [/a/gu, 'а'],
  [/b/gu, 'б'],
  [/[vw]/gu, 'в'],
  [/g/gu, 'г'],
  [/d/gu, 'д'],
  [/e/gu, 'е'],
  [/z/gu, 'з'],
  [/i/gu, 'и'],
  [/k/gu, 'к'],
  [/l/gu, 'л'],
  [/m/gu, 'м'],
  [/n/gu, 'н'],
  [/o/gu, 'о'],
  [/p/gu, 'п'],
  [/r/gu, 'р'],
  [/s/gu, 'с'],
  [/t/gu, 'т'],
  [/u/gu, 'у'],
  [/f/gu, 'ф'],
  [/[hx]/gu, 'х'],
  [/c/gu, 'ц'],
]

/** Returns a likely Cyrillic spelling of a transliterated Bulgarian word. */
export function toCyrillic(word: string): string {
  let spelled = word
  for (const [letters, one] of SPELLING) spelled = spelled.replace(letters, one)
  return spelled
}

const STYLES: readonly Readonly<Record<string, string>>[] = [
  {
    ж: 'zh',
    ц: 'ts',
    ч: 'ch',
    ш: 'sh',
    щ: 'sht',
    ъ: 'a',
    ь: 'y',
    ю: 'yu',
    я: 'ya',
    й: 'y',
    х: 'h',
    в: 'v',
  },
  {
    ж: 'j',
    ц: 'c',
    ч: '4',
    ш: '6',
    щ: '6t',
    ъ: 'u',
    ь: 'i',
    ю: 'iu',
    я: 'q',
    й: 'i',
    х: 'h',
    в: 'v',
  },
  {
    ж: 'j',
    ц: 'c',
    ч: 'ch',
    ш: 'sh',
    щ: 'sht',
    ъ: 'y',
    ь: 'i',
    ю: 'yu',
    я: 'ia',
    й: 'j',
    х: 'x',
    в: 'w',
  },
]
const COMMON: Readonly<Record<string, string>> = {
  а: 'a',
  б: 'b',
  г: 'g',
  д: 'd',
  е: 'e',
  з: 'z',
  и: 'i',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
}

/** Transliterates Bulgarian in one of three common ways. */
export function toLatin(text: string, way: number): string {
  const style = STYLES[way % STYLES.length] ?? {}
  let typed = ''
  for (const letter of text.toLowerCase()) typed += style[letter] ?? COMMON[letter] ?? letter
  return typed
}
