/** The book that a card's press opens: it travels to its place on the page that comes (View Transitions Level 1). */
import styles from '#web/ui/styles/Item.module.css'

/** The large book of an item's own page bears the same name, by web/ui/styles/Item.module.css. */
const NAME = 'opened-book'

let named: HTMLElement | null = null

/**
 * Names the book of the pressed card, so that the browser carries it over; no other of the page that is left may bear
 * the name, or it would carry none. Where the browser has no view transitions, nothing sees the name.
 */
export function nameOpenedBook({ currentTarget }: { readonly currentTarget: Element }): void {
  if (named !== null) named.style.viewTransitionName = ''
  named = currentTarget.closest('article')?.querySelector<HTMLElement>('[data-book]') ?? null
  if (named === null) return
  for (const other of document.querySelectorAll<HTMLElement>(`.${styles.item} [data-book]`))
    other.style.viewTransitionName = 'none'
  named.style.viewTransitionName = NAME
}
