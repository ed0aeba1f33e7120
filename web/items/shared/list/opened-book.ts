/** Animates the book of an opened card to its place on the item's page (View Transitions Level 1). */
import styles from '#web/ui/styles/Item.module.css'

/** Item.module.css gives the large book on the item's page the same name. */
const NAME = 'opened-book'

let named: HTMLElement | null = null

/**
 * Names the book of the pressed card. All other books lose the name, because the browser skips the transition if
 * two elements share one. Browsers without view transitions ignore it.
 */
export function nameOpenedBook({ currentTarget }: { readonly currentTarget: Element }): void {
  if (named !== null) named.style.viewTransitionName = ''
  named = currentTarget.closest('article')?.querySelector<HTMLElement>('[data-book]') ?? null
  if (named === null) return
  for (const other of document.querySelectorAll<HTMLElement>(`.${styles.item} [data-book]`))
    other.style.viewTransitionName = 'none'
  named.style.viewTransitionName = NAME
}
