/**
 * Parses pasted HTML. The page's content security policy reports every style of a document that scripts parse, so
 * style attributes and style sheets are parsed under other names.
 */
import { articlePolicy } from '#web/lessons/article/article-html.ts'

const PREFIX = 'x-pasted-'
/** The attribute that holds the text of an element's style attribute. */
export const STYLE = `${PREFIX}style`
/** Elements that hold style sheets. Their content is text for the HTML parser, as that of style elements is. */
export const SHEETS = `noframes[${PREFIX}sheet]`

/** A document in which no script runs and nothing is loaded. Its nodes must not get onto a page. */
export function parseInert(html: string): Document {
  const renamed = html
    .replaceAll(/<style(?=[\s/>])/gi, `<noframes ${PREFIX}sheet`)
    .replaceAll(/<\/style(?=[\s/>])/gi, '</noframes')
    .replaceAll(/style(?=\s*=)/gi, (name) => `${PREFIX}${name}`)
  // The types of DOMParser don't know trusted HTML yet.
  const trusted = (articlePolicy()?.createHTML(renamed) ?? renamed) as string
  const parsed = new DOMParser().parseFromString(trusted, 'text/html')
  // Text about styles has the names that were meant for attributes.
  const texts = parsed.createTreeWalker(parsed.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode() !== null) {
    const { currentNode } = texts
    if (currentNode instanceof Text) currentNode.data = currentNode.data.replaceAll(PREFIX, '')
  }
  return parsed
}
