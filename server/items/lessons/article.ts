/**
 * Cleans and measures articles, when they are written and again when shown, so that rows from elsewhere are safe.
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
  // The content of these elements is no text of the article.
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
  // Deeper nesting would slow down every reader's browser.
  nestingLimit: 40,
}

/** The maximum number of passes. HTML that still changes is an attack, of which only the text is kept. */
const ROUNDS = 8
/** The maximum depth of open tags, allowed or not, because the parser's time grows quadratically with it. */
const DEEPEST = 200

class TooMuch extends Error {}

/** One pass in linear time. @throws TooMuch */
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
  // Entities may decode to characters that must be removed, so this follows the parsing.
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
const escape = (text: string) => text.replaceAll(/[&<>]/g, (sign) => SIGNS[sign] ?? sign)

/** Writes plain text as an article: an empty line ends a paragraph. */
export function articleOfText(text: string): string {
  const paragraphs = escape(text.replaceAll('\r\n', '\n')).split(/\n[ \t]*\n/)
  return paragraphs
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${paragraph.trim().replaceAll('\n', '<br>')}</p>`)
    .join('')
}

/**
 * Keeps exactly the editor's blocks and marks, without attributes. Cleaning is idempotent. HTML that is nested too
 * deeply becomes text that shows its source.
 */
export function cleanArticle(html: string): string {
  try {
    return cleanWithin(Infinity, html)
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error
    return escape(plain(html))
  }
}

/** The maximum number of cached articles, of up to 20 kB each. */
const MOST_SHOWN = 500
/** Cleaning a typical article takes 0.2 ms, longer than the rest of its page's data. */
const shown = new BoundedMap<string, string>({ most: MOST_SHOWN })

export function showArticle(stored: string): string {
  const known = shown.get(stored)
  if (known !== undefined) return known
  const cleaned = cleanArticle(stored)
  shown.set(stored, cleaned)
  return cleaned
}

const BLOCK_TAG = new RegExp(String.raw`</?(?:${BLOCKS.join('|')}|br)(?: /)?>`, 'g')
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Returns the text of a cleaned article. White space collapses, and blocks separate words. */
export function articleText(cleaned: string): string {
  return cleaned
    .replace(BLOCK_TAG, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Returns whole minutes, at least 1. */
export function readingMinutes(text: string): number {
  const words = text === '' ? 0 : text.split(' ').length
  return Math.max(1, Math.round(words / READING_SPEED))
}

export interface WrittenArticle {
  readonly html: string
  readonly text: string
  /** Reading time. */
  readonly minutes: number
}

/**
 * @throws Refusal 400 at `article` when its text is too short, too long or without words, or its HTML is too big
 */
export function writeArticle(html: string): WrittenArticle {
  const read = readArticle(html)
  if (lengthOf(read.text) < ARTICLE.min) throw badLength()
  requireLetters(read.text)
  if (visibleLengthOf(read.text) < ARTICLE.min) throw badLength()
  return { ...read, minutes: readingMinutes(read.text) }
}

/**
 * Cleans an article that may be unfinished. Checks the size first and after each pass.
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
    // Cleaning closes open tags and escapes characters, so the HTML may grow.
    return cleanWithin(ARTICLE_HTML_BYTES, html)
  } catch (error) {
    throw error instanceof TooMuch ? tooBig() : error
  }
}

const badLength = () =>
  invalidField('article', 'articleValMs', { min: ARTICLE.min, max: ARTICLE.max })

/** @throws Refusal 400 at `article` when it has too few letters and digits */
export function requireLetters(text: string): void {
  if (!hasWritten(text, ARTICLE_LETTERS))
    throw invalidField('article', 'articleLettersMs', { min: ARTICLE_LETTERS })
}

/**
 * Counts characters that are letters or digits both as written and by their look. A row of clicks (ǃǃǃ) looks like
 * exclamation marks, and a row of bars (|||) like the letter l; neither counts.
 */
function hasWritten(text: string, enough: number): boolean {
  let count = 0
  for (const character of text.normalize('NFKC')) {
    if (countLetters(character) > 0 && countLetters(skeleton(character)) > 0) count += 1
    // Stops early, because NFKC may expand one character to 18 letters.
    if (count >= enough) return true
  }
  return false
}
