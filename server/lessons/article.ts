/**
 * Articles: which HTML is stored and shown, its text and its reading time. Cleaned when written and again when
 * shown, so that a row that came in by another way shows nothing else either.
 */
import sanitizeHtml from 'sanitize-html'
import { stripTurns } from '#contract/direction.ts'
import { countLetters, lengthOf, visibleLengthOf } from '#contract/measure.ts'
import { ARTICLE, ARTICLE_HTML_BYTES, ARTICLE_LETTERS, READING_SPEED } from '#contract/limits.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { skeleton } from '#server/kernel/text/fold.ts'

const BLOCKS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'ul', 'ol', 'li', 'pre']
const INLINE = ['code', 'strong', 'b', 'em', 'i', 'u']

const options: sanitizeHtml.IOptions = {
  allowedTags: [...BLOCKS, ...INLINE, 'br'],
  allowedAttributes: {},
  // What is inside these is no text of the article.
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'noscript',
    'template',
    'title',
    'iframe',
    'xmp',
  ],
  // Deeper nesting is no article, and costs every reader's browser.
  nestingLimit: 40,
}

/** What cleaning may need until nothing changes any more; more is an attack, of which only the text stays. */
const ROUNDS = 8
/** Open tags within each other, allowed or not. The parser's time grows with its square, and no text needs more. */
const DEEPEST = 200

/** The markup is no article's, and is cleaned no further. */
class TooMuch extends Error {}

/** One pass, in time that grows with the length alone. @throws TooMuch */
function sanitize(html: string, settings = options): string {
  let depth = 0
  return sanitizeHtml(html, {
    ...settings,
    onOpenTag: () => {
      depth += 1
      if (depth > DEEPEST) throw new TooMuch()
    },
    onCloseTag: () => {
      depth -= 1
    },
  })
}

/** @throws TooMuch also when more than `most` bytes are left after any pass */
function cleanWithin(most: number, html: string): string {
  const bounded = (cleaned: string) => {
    if (Buffer.byteLength(cleaned) > most) throw new TooMuch()
    return cleaned
  }
  // Entities may name characters that are removed, so this comes after they are read too.
  const clean = (given: string) => bounded(stripTurns(sanitize(given)))
  let cleaned = clean(plain(html))
  for (let round = 0; round < ROUNDS; round++) {
    const again = clean(cleaned)
    if (again === cleaned) return cleaned
    cleaned = again
  }
  return bounded(sanitize(cleaned, { ...options, allowedTags: [] }))
}

const plain = (html: string) => stripTurns(html.replaceAll('\0', '')).normalize('NFC')
const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/**
 * Exactly the blocks and styles of the editor, no attributes. Cleaning twice changes nothing. What is nested deeper
 * than any article, which no author may write, becomes its source as text.
 */
export function cleanArticle(html: string): string {
  try {
    return cleanWithin(Infinity, html)
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error
    return plain(html).replaceAll(/[&<>]/g, (sign) => SIGNS[sign] ?? sign)
  }
}

/** Articles at most; one has up to 20 kB. */
const MOST_SHOWN = 500
/** Results of a pure function: cleaning a typical article takes 0.2 ms, more than all else of its page's data. */
const shown = new BoundedMap<string, string>({ most: MOST_SHOWN })

/** A stored article, cleaned again for showing. */
export function showArticle(stored: string): string {
  const known = shown.get(stored)
  if (known !== undefined) return known
  const cleaned = cleanArticle(stored)
  shown.set(stored, cleaned)
  return cleaned
}

const BLOCK_TAG = new RegExp(String.raw`</?(?:${BLOCKS.join('|')}|br)(?: /)?>`, 'g')
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** The text of a cleaned article: white space collapsed, blocks separate words. */
export function articleText(cleaned: string): string {
  return cleaned
    .replace(BLOCK_TAG, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Whole minutes, at least one. */
export function readingMinutes(text: string): number {
  const words = text === '' ? 0 : text.split(' ').length
  return Math.max(1, Math.round(words / READING_SPEED))
}

/** An article as it is stored, with its text. */
export interface WrittenArticle {
  readonly html: string
  readonly text: string
  /** Reading time. */
  readonly minutes: number
}

/**
 * Cleans and measures. @throws Refusal 400 at `article` when its text is too short or long or has no words, or its
 * HTML is too big
 */
export function writeArticle(html: string): WrittenArticle {
  const read = readArticle(html)
  if (lengthOf(read.text) < ARTICLE.min) throw badLength()
  requireLetters(read.text)
  if (visibleLengthOf(read.text) < ARTICLE.min) throw badLength()
  return { ...read, minutes: readingMinutes(read.text) }
}

/**
 * Cleans what may still become an article. Its size is judged before anything is done with it, and after each step.
 * @throws Refusal 400 at `article` when its HTML is too big or its text too long
 */
export function readArticle(html: string): Omit<WrittenArticle, 'minutes'> {
  const cleaned = cleanOrRefuse(html)
  const text = articleText(cleaned)
  if (lengthOf(text) > ARTICLE.max) throw badLength()
  return { html: cleaned, text }
}

function cleanOrRefuse(html: string): string {
  const tooBig = () => invalidField('article', 'articleTooBig')
  if (Buffer.byteLength(html) > ARTICLE_HTML_BYTES) throw tooBig()
  try {
    // Cleaning closes what is open and escapes, so that it may grow.
    return cleanWithin(ARTICLE_HTML_BYTES, html)
  } catch (error) {
    throw error instanceof TooMuch ? tooBig() : error
  }
}

const badLength = () =>
  invalidField('article', 'articleValMs', { min: ARTICLE.min, max: ARTICLE.max })

/** @throws Refusal 400 at `article` when it has too few letters and digits to be an article */
export function requireLetters(text: string): void {
  if (!hasWritten(text, ARTICLE_LETTERS))
    throw invalidField('article', 'articleLettersMs', { min: ARTICLE_LETTERS })
}

/**
 * Counts letters and digits that are ones both as written and by their look: a row of clicks (ǃǃǃ) looks like one of
 * exclamation marks, and a row of bars (|||) like one of the letter l. Neither is an article.
 */
function hasWritten(text: string, enough: number): boolean {
  let count = 0
  for (const character of text.normalize('NFKC')) {
    if (countLetters(character) > 0 && countLetters(skeleton(character)) > 0) count += 1
    // One sign may unfold to eighteen letters: a whole article of them is not looked through.
    if (count >= enough) return true
  }
  return false
}
