/** Reduces pasted HTML to the blocks and marks that an article can contain. */
import { breakLines, tidyBlocks } from '#web/items/lessons/article/paste/pasted-blocks.ts'
import { parseInert, STYLE } from '#web/items/lessons/article/paste/parse-inert.ts'
import { nestLists } from '#web/items/lessons/article/paste/pasted-lists.ts'
import {
  officeStyle,
  createStyleReader,
  type TextStyle,
} from '#web/items/lessons/article/paste/pasted-styles.ts'

export interface PastedArticle {
  readonly html: string
  readonly hadPictures: boolean
}

type Marks = Omit<TextStyle, 'hidden' | 'block'> & { code?: boolean; link?: boolean }

/** Elements whose content is no text for an article. */
const LEFT_OUT =
  'head, noframes, script, template, title, meta, link, iframe, object, embed, audio, video, canvas, svg, input, textarea, select, [hidden]'
/** The block that each block element becomes. All other elements are inline, and only their content remains. */
const BLOCKS: ReadonlyMap<string, string> = new Map([
  ...['blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li', 'ol', 'ul'].map(
    (name) => [name, name] as const,
  ),
  // The editor turns these into paragraphs.
  ...'address article aside body caption center dd details dialog div dl dt fieldset figcaption figure footer form header hgroup hr legend main nav p section summary table tbody td tfoot th thead tr'
    .split(' ')
    .map((name) => [name, 'div'] as const),
])
const MARKS: ReadonlyMap<string, Marks> = new Map<string, Marks>([
  ['b', { bold: true }],
  ['strong', { bold: true }],
  ['em', { italic: true }],
  ['i', { italic: true }],
  ['u', { underline: true }],
  ['code', { code: true }],
  ['kbd', { code: true }],
  ['samp', { code: true }],
  ['tt', { code: true }],
  ['a', { link: true }],
])
/** Alternative texts that replace a picture: an emoji or its name. */
const PICTURE_TEXT = /^(?:[\p{Emoji}\p{Emoji_Component}\uFE0F\u200D]+|:[\w+-]+:)$/u
/** Mail clients wrap plain text in these elements; it is prose, not code. */
const PLAIN_TEXT_MAIL = 'pre.moz-quote-pre, pre.moz-signature, .moz-text-plain pre'

/** Reads HTML from the clipboard. The result has only elements of articles and no attributes. */
export function readPasted(html: string): PastedArticle {
  const pasted = parseInert(html)
  // HTML from this editor says in `data-pm-slice` how it continues the paragraph at the caret, so it passes
  // unchanged.
  if (isOfThisEditor(pasted.body)) return { html, hadPictures: false }
  nestLists(pasted)
  const reader = new Reader(pasted)
  const article = reader.read()
  tidyBlocks(article)
  return { html: article.innerHTML, hadPictures: reader.hadPictures }
}

function isOfThisEditor(body: HTMLElement): boolean {
  const tags = 'p, h1, h2, h3, h4, h5, h6, ul, ol, li, blockquote, pre, code, strong, em, u, br'
  return (
    body.querySelector('[data-pm-slice]') !== null &&
    [...body.querySelectorAll('*')].every(
      (element) =>
        (element.matches(tags) || element.localName === 'meta') && !element.hasAttribute(STYLE),
    )
  )
}

class Reader {
  hadPictures = false
  readonly #pasted: Document
  readonly #styleOf: (element: Element) => TextStyle

  constructor(pasted: Document) {
    this.#pasted = pasted
    this.#styleOf = createStyleReader(pasted)
  }

  read(): HTMLElement {
    const article = this.#pasted.createElement('div')
    this.#copy(this.#pasted.body, article, {})
    return article
  }

  #copy(from: Element, to: Element, marks: Marks): void {
    for (const node of from.childNodes) {
      if (node instanceof Text) this.#copyText(node.data, to, marks)
      else if (node instanceof Element) this.#copyElement(node, to, marks)
    }
  }

  #copyElement(element: Element, to: Element, outer: Marks): void {
    const style = this.#styleOf(element)
    if (style.hidden === true || element.matches(LEFT_OUT)) return
    if (officeStyle(element, 'mso-list') === 'ignore') return
    const name = element.localName
    if (name === 'img') return this.#copyPicture(element, to, outer)
    if (name === 'math') return this.#copyText(formulaOf(element), to, outer)
    // Math renderers add a drawn copy of each formula, which is skipped.
    if (element.matches('[aria-hidden=true]') && element.parentElement?.querySelector('math'))
      return
    // PDF viewers end each line of the page with such a br, even within a paragraph.
    if (name === 'br') return to.append(element.matches('[role=presentation]') ? ' ' : breakOf(to))
    // Browsers copy a space at the edge of formatted text as such a span.
    if (name === 'span' && element.textContent === '\u00a0') return to.append(' ')
    const marks = marksOf(outer, MARKS.get(name), style)
    const block = blockOf(element, style)
    if (block === null) return this.#copy(element, to, marks)
    const isPlainMail = element.matches(PLAIN_TEXT_MAIL)
    const isCode = block === 'div' && style.monospaced === true && style.preformatted === true
    if ((name === 'pre' && !isPlainMail) || isCode) {
      const code = this.#pasted.createElement('code')
      code.textContent = breakLines(element)
      const pre = this.#pasted.createElement('pre')
      pre.append(code)
      return to.append(pre)
    }
    const copied = this.#pasted.createElement(block)
    this.#copy(element, copied, isPlainMail ? { preformatted: true } : marks)
    to.append(copied)
  }

  #copyPicture(picture: Element, to: Element, marks: Marks): void {
    const alternative = picture.getAttribute('alt')?.trim() ?? ''
    if (PICTURE_TEXT.test(alternative) || picture.matches('[class*="math-fallback"]'))
      return this.#copyText(alternative, to, marks)
    const isDot = ['width', 'height'].some((side) =>
      /^[01]$/.test(picture.getAttribute(side) ?? ''),
    )
    if (!isDot) this.hadPictures = true
  }

  #copyText(text: string, to: Element, marks: Marks): void {
    if (marks.preformatted !== true) return this.#appendMarked(text, to, marks)
    const spaced = text.replaceAll('\t', '    ').replaceAll(/ (?= )/g, '\u00a0')
    spaced.split(/\r\n?|\n/).forEach((line, place) => {
      if (place > 0) to.append(breakOf(to))
      this.#appendMarked(line, to, marks)
    })
  }

  #appendMarked(text: string, to: Element, marks: Marks): void {
    // White space between blocks is not visible.
    if (text.trim() === '' && (text === '' || text.includes('\n'))) return to.append(text)
    const { bold, italic, underline, code, monospaced, link } = marks
    const isHeading = /^h[1-6]$/.test(to.localName)
    const names = [
      // Headings are bold already.
      ...(bold === true && !isHeading ? ['strong'] : []),
      ...(italic === true ? ['em'] : []),
      ...(underline === true && link !== true ? ['u'] : []),
      ...(code === true || monospaced === true ? ['code'] : []),
    ]
    let inner = to
    for (const name of names) {
      const mark = this.#pasted.createElement(name)
      if (name === 'code' && code !== true) mark.className = 'font'
      inner.append(mark)
      inner = mark
    }
    inner.append(text)
  }
}

/** An outer underline also applies to inner elements; for all other marks the innermost element decides. */
const marksOf = (outer: Marks, own: Marks | undefined, style: TextStyle): Marks => ({
  ...outer,
  ...own,
  ...style,
  underline: outer.underline === true || (style.underline ?? own?.underline) === true,
})

const breakOf = (to: Element) => to.ownerDocument.createElement('br')

/** Returns the element that a block becomes; null for inline elements. */
function blockOf(element: Element, style: TextStyle): string | null {
  const level = Number(element.getAttribute('aria-level'))
  if (element.matches('[role=heading]') && level >= 1 && level <= 6) return `h${level}`
  if (element.localName === 'pre') return 'div'
  return BLOCKS.get(element.localName) ?? (style.block === true ? 'div' : null)
}

/** Returns the formula's source, if it is there, or its text. */
function formulaOf(math: Element): string {
  return (math.querySelector('annotation') ?? math).textContent.trim()
}
