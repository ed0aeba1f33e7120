/** Opens the chat of a tab when its page has nothing else to do. A module of its own, so that guests load none of it. */

/** Where browsers know no idle time. */
const LATER_MS = 1000

/** After the page has loaded; does nothing more when it was opened before. */
export function openLater(): void {
  const open = () => void import('#web/chat/link/tab.ts').then(({ openTab }) => openTab())
  const begin = () => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(open, { timeout: LATER_MS })
    else setTimeout(open, LATER_MS)
  }
  if (document.readyState === 'complete') begin()
  else window.addEventListener('load', begin, { once: true })
}
