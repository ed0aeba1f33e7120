/**
 * Splits a comment into words as typed, emoji, symbols, and pieces that are not language (code, links, numbers).
 */

export type PieceKind = 'word' | 'emoji' | 'sign' | 'code' | 'link' | 'number'

export interface Piece {
  readonly kind: PieceKind
  /** The original text from `start` to `end` (UTF-16 units). */
  readonly raw: string
  /** The text before folding. Separated letters are joined. */
  readonly read: string
  readonly start: number
  readonly end: number
}

/** Longer texts are judged by their first part (UTF-16 units). Comments have at most 200 code points. */
const LONGEST = 4_000

const SMILEY = /^(?:[:;=8xX][-^']?[)(\][DdPpOo3/\\|*]+|[)(]{2,}|<3+|\^_*\^|-_+-|[xX]D+)$/u
const LINK =
  /^(?:https?:\/\/|www\.)|^[\w.-]{1,60}\.(?:com|net|org|info|biz|bg|io|ly|me|ru|shop|xyz|top|club|online)(?:\/\S*)?$/iu
/** Letters separated by symbols: `i.d.i.o.t`. */
const SPELLED = /^\p{L}(?:[^\p{L}\p{N}\s]{1,3}[\p{L}\p{N}]){2,}$/u
/** A name with a call, an assignment, a path, an option, markup, snake_case or camelCase. */
const CODE =
  /\w\(|[{}]|;$|[=!<>]=|=>|->|::|\w=|<\/?\w+|\/>|^--?[a-z][\w-]*$|\w_\w|[a-z][A-Z][a-z]|^\.{0,2}\/\w|\w\/\w+\/|\w\[\w*\]|^[#$.]\w+\(|\.(?:js|ts|py|css|html?|json|java|cpp|cs|sh|sql|txt|exe|php)$/u
const RUNS =
  /(?<emoji>(?:\p{Extended_Pictographic}|\p{Regional_Indicator})[\u{FE0F}\p{Emoji_Modifier}]?(?:\u200D\p{Extended_Pictographic}[\u{FE0F}\p{Emoji_Modifier}]?)*)|(?<number>\p{N}+(?:[.,:/]\p{N}+)*(?=$|[^\p{L}\p{N}@$*]))|(?<word>[\p{L}\p{M}\p{N}@$*\p{Default_Ignorable_Code_Point}'’]*\p{L}[\p{L}\p{M}\p{N}@$*!|\p{Default_Ignorable_Code_Point}'’]*)|(?<sign>[^\p{L}\p{N}\s])\k<sign>*|./gu

const EDGE = /^[^\p{L}\p{N}@$*<:;=#./-]+|[^\p{L}\p{N}@$*>)(\]}/;=]+$/gu

function cutChunk(chunk: string, start: number, pieces: Piece[]): void {
  const add = (kind: PieceKind, raw: string, at: number, read = raw) =>
    pieces.push({ kind, raw, read, start: at, end: at + raw.length })
  if (SMILEY.test(chunk)) return void add('sign', chunk, start)
  const core = chunk.replace(EDGE, '')
  if (LINK.test(core)) return void add('link', chunk, start)
  if (core.length <= 60 && SPELLED.test(core)) {
    const at = start + chunk.indexOf(core)
    return void add('word', core, at, core.replace(/[^\p{L}\p{N}]/gu, ''))
  }
  if (CODE.test(core)) return void add('code', chunk, start)
  for (const match of chunk.matchAll(RUNS)) {
    const groups = match.groups ?? {}
    const at = start + match.index
    if (groups['emoji'] !== undefined)
      add('emoji', match[0], at, match[0].replace(/[\u{FE0F}\p{Emoji_Modifier}]/gu, ''))
    else if (groups['number'] !== undefined) add('number', match[0], at)
    else if (groups['word'] !== undefined) {
      const raw = match[0].replace(/^['’]+|['’!|]+$/gu, '')
      const tail = match[0].slice(match[0].lastIndexOf(raw) + raw.length)
      add('word', raw, at + match[0].indexOf(raw))
      const sign = tail.replace(/['’]/gu, '')
      if (sign !== '') add('sign', sign, at + match[0].length - sign.length)
    } else if (groups['sign'] !== undefined) add('sign', match[0], at)
  }
}

/** Joins three or more single letters in a row into one word: `и д и о т`. */
function joinLetters(text: string, pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = []
  for (let index = 0; index < pieces.length;) {
    let next = index
    let read = ''
    for (; next < pieces.length; next += 1) {
      const piece = pieces[next]
      if (
        piece === undefined ||
        piece.end - piece.start > 2 ||
        !/^[\p{L}\p{N}@$*]$/u.test(piece.read)
      )
        break
      read += piece.read
    }
    const first = pieces[index]
    const last = pieces[next - 1]
    if (next - index >= 3 && first && last && /\p{L}.*\p{L}/u.test(read)) {
      joined.push({
        kind: 'word',
        raw: text.slice(first.start, last.end),
        read,
        start: first.start,
        end: last.end,
      })
      index = next
    } else {
      if (first) joined.push(first)
      index += 1
    }
  }
  return joined
}

/** Linear in the text's length. Considers at most the first 4,000 units. */
export function split(whole: string): Piece[] {
  const text = whole.length > LONGEST ? whole.slice(0, LONGEST) : whole
  const pieces: Piece[] = []
  for (const match of text.matchAll(/`[^`\n]{1,300}`|[\S\uFEFF]{1,80}/gu)) {
    if (match[0].startsWith('`') && match[0].length > 2 && match[0].endsWith('`')) {
      pieces.push({
        kind: 'code',
        raw: match[0],
        read: '',
        start: match.index,
        end: match.index + match[0].length,
      })
    } else cutChunk(match[0], match.index, pieces)
  }
  return joinLetters(text, pieces)
}
