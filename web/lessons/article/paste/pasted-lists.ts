/** Turns the lists of Microsoft Word, which are flat and tell each item's level beside it, into nested lists. */
import { STYLE } from '#web/lessons/article/paste/parse-inert.ts'
import { officeStyle } from '#web/lessons/article/paste/pasted-styles.ts'

interface Item {
  /** From 1. */
  readonly level: number
  readonly list: 'ol' | 'ul'
  readonly content: readonly Node[]
}

/** Deeper levels count as this one. */
const DEEPEST = 9
const WITH_LIST_STYLE = `[${STYLE}*="mso-list"]`

/** Nests the lists of Word for the desktop and of Word for the web, in place. */
export function nestLists(pasted: Document): void {
  replaceRuns(pasted, WITH_LIST_STYLE, readParagraph)
  replaceRuns(pasted, '.ListContainerWrapper', readContainer)
}

/** Replaces each run of neighbours that can be read as items by one nested list. */
function replaceRuns(
  pasted: Document,
  selector: string,
  read: (element: Element) => readonly Item[],
): void {
  for (const element of pasted.querySelectorAll(selector)) {
    if (!element.isConnected || read(element).length === 0) continue
    const run = [element]
    for (
      let next = element.nextElementSibling;
      next?.matches(selector) === true && read(next).length > 0;
      next = next.nextElementSibling
    )
      run.push(next)
    element.before(...listsOf(run.flatMap(read), pasted))
    for (const each of run) each.remove()
  }
}

/** A paragraph of Word for the desktop: `mso-list:l0 level2 lfo1`, with a marker in a span of its own. */
function readParagraph(element: Element): Item[] {
  const level = /\blevel(\d)/.exec(officeStyle(element, 'mso-list') ?? '')?.[1]
  if (level === undefined) return []
  const content = [...element.childNodes]
  const marker = [...element.querySelectorAll(WITH_LIST_STYLE)].find(
    (span) => officeStyle(span, 'mso-list') === 'ignore',
  )
  // "1.", "a)" and "iv." count; "o" is a bullet.
  const isNumbered = /[\p{L}\p{N}][.)]/u.test(marker?.textContent ?? '')
  return [{ level: Number(level), list: isNumbered ? 'ol' : 'ul', content }]
}

/** A list of Word for the web: one for each item, which tells its level. */
function readContainer(element: Element): Item[] {
  const list = element.querySelector('ul, ol')
  if (list === null) return []
  return [...list.querySelectorAll(':scope > li')].map((item) => ({
    level: Number(item.getAttribute('aria-level') ?? item.getAttribute('data-aria-level') ?? 1),
    list: list.localName === 'ol' ? 'ol' : 'ul',
    content: [...item.childNodes],
  }))
}

/** Nested lists of these items. A change of the kind of list on the first level begins another list. */
function listsOf(items: readonly Item[], pasted: Document): Element[] {
  const lists: Element[] = []
  // The open list of each level, from the outermost.
  let open: Element[] = []
  for (const { level, list, content } of items) {
    const depth = Math.min(Math.max(1, level || 1), open.length + 1, DEEPEST)
    open = open.slice(0, depth)
    if (open[depth - 1]?.localName !== list) {
      const begun = pasted.createElement(list)
      const parent = open[depth - 2]?.lastElementChild
      if (parent instanceof Element) parent.append(begun)
      else lists.push(begun)
      open = [...open.slice(0, depth - 1), begun]
    }
    const item = pasted.createElement('li')
    item.append(...content)
    open[depth - 1]?.append(item)
  }
  return lists
}
