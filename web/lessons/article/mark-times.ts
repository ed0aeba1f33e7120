import { timesIn } from '#web/core/video-times/times-in-text.ts'
import styles from '#web/ui/styles/Item.module.css'

/** Where a time is no step: in code, and where it is one already. */
const ELSEWHERE = 'pre, code, button'

/**
 * Makes buttons of the times in an article that stands in the page, and answers all there are. Each has its second in
 * `data-at`. The words stay where they are: a button is as wide as its text was.
 */
export function markTimes(article: HTMLElement): readonly HTMLButtonElement[] {
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest(ELSEWHERE) === null
      ? NodeFilter.FILTER_ACCEPT
      : NodeFilter.FILTER_REJECT,
  )
  // Looked for first and changed afterwards: a walk through what changes would lose its way.
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
