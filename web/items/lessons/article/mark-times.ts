import { timesIn } from '#web/core/video-times/times-in-text.ts'
import styles from '#web/ui/styles/Item.module.css'

/** Times in these elements are not marked: code stays text, and a button marks a time already. */
const ELSEWHERE = 'pre, code, button'

/**
 * Turns the times in a rendered article into buttons and returns all of them. `data-at` holds the second. A button
 * is as wide as the text was, so nothing moves.
 */
export function markTimes(article: HTMLElement): readonly HTMLButtonElement[] {
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest(ELSEWHERE) === null
      ? NodeFilter.FILTER_ACCEPT
      : NodeFilter.FILTER_REJECT,
  )
  // Collects the texts first, because a TreeWalker doesn't survive changes of the tree.
  const texts: Text[] = []
  while (walker.nextNode() !== null)
    if (walker.currentNode instanceof Text && walker.currentNode.data.includes(':'))
      texts.push(walker.currentNode)
  for (const node of texts) {
    const parts = timesIn(node.data)
    if (parts.some((part) => typeof part !== 'string'))
      node.replaceWith(...parts.map((part) => (typeof part === 'string' ? part : buttonOf(part))))
  }
  return [...article.querySelectorAll<HTMLButtonElement>('button[data-at]')]
}

function buttonOf({ text, at }: { readonly text: string; readonly at: number }): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = styles.jump ?? ''
  button.dataset['at'] = String(at)
  button.textContent = text
  return button
}
