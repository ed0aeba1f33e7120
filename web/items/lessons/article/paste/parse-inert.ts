/**
 * Parses pasted HTML. The Content Security Policy reports every style in a document that a script parses, so style
 * attributes and style sheets are renamed first.
 */
import { articlePolicy } from '#web/items/lessons/article/article-html.ts'

const PREFIX = 'x-pasted-'
/** The attribute that holds an element's renamed style attribute. */
export const STYLE = `${PREFIX}style`
/** Elements that hold renamed style sheets. Like style, noframes has text as its content. */
export const SHEETS = `noframes[${PREFIX}sheet]`

/** Returns a document in which no script runs and nothing loads. Its nodes must never be added to a page. */
export function parseInert(html: string): Document {
  const renamed = html
    .replaceAll(/<style(?=[\s/>])/gi, `<noframes ${PREFIX}sheet`)
    .replaceAll(/<\/style(?=[\s/>])/gi, '</noframes')
    .replaceAll(/style(?=\s*=)/gi, (name) => `${PREFIX}${name}`)
  // TypeScript's DOMParser doesn't accept TrustedHTML yet.
  const trusted = (articlePolicy()?.createHTML(renamed) ?? renamed) as string
  const parsed = new DOMParser().parseFromString(trusted, 'text/html')
  // Texts that mention `style=` were renamed too, so this restores them.
  const texts = parsed.createTreeWalker(parsed.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode() !== null) {
    const { currentNode } = texts
    if (currentNode instanceof Text) currentNode.data = currentNode.data.replaceAll(PREFIX, '')
  }
  return parsed
}
