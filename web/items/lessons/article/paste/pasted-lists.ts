/** Microsoft Word writes flat lists and notes each item's level separately. This turns them into nested lists. */
import { STYLE } from '#web/items/lessons/article/paste/parse-inert.ts'
import { officeStyle } from '#web/items/lessons/article/paste/pasted-styles.ts'

interface Item {
  readonly level: number
  readonly list: 'ol' | 'ul'
  readonly content: readonly Node[]
}

/** The deepest level; deeper items count as this one. */
const DEEPEST = 9
const WITH_LIST_STYLE = `[${STYLE}*="mso-list"]`

/** Nests the lists of Word for desktop and Word for the web in place. */
export function nestLists(pasted: Document): void {
  replaceRuns(pasted, WITH_LIST_STYLE, readParagraph)
  replaceRuns(pasted, '.ListContainerWrapper', readContainer)
}

/** Replaces each run of adjacent elements that are list items by a nested list. */
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

/** Reads a paragraph of Word for desktop: `mso-list:l0 level2 lfo1`, with the marker in a span. */
function readParagraph(element: Element): Item[] {
  const level = /\blevel(\d)/.exec(officeStyle(element, 'mso-list') ?? '')?.[1]
  if (level === undefined) return []
  const content = [...element.childNodes]
  const marker = [...element.querySelectorAll(WITH_LIST_STYLE)].find(
    (span) => officeStyle(span, 'mso-list') === 'ignore',
  )
  // Markers such as "1.", "a)" and "iv." are numbers; "o" is a bullet.
  const isNumbered = /[\p{L}\p{N}][.)]/u.test(marker?.textContent ?? '')
  return [{ level: Number(level), list: isNumbered ? 'ol' : 'ul', content }]
}

/** Reads a list of Word for the web, which has one list element per item, with its level. */
function readContainer(element: Element): Item[] {
  const list = element.querySelector('ul, ol')
  if (list === null) return []
  return [...list.querySelectorAll(':scope > li')].map((item) => ({
    level: Number(item.getAttribute('aria-level') ?? item.getAttribute('data-aria-level') ?? 1),
    list: list.localName === 'ol' ? 'ol' : 'ul',
    content: [...item.childNodes],
  }))
}

/** Builds nested lists. Another kind of list on the first level starts a new list. */
function listsOf(items: readonly Item[], pasted: Document): Element[] {
  const lists: Element[] = []
  // The open list of each level, outermost first.
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
