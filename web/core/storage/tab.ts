/** The id of this browser tab. It stays with reloads and history, and no two open tabs share one. */
import { newDraftId } from '#web/core/storage/draft-id.ts'

const KEY = 'kb:tab'
let id: string | undefined

/**
 * The tab's id. Every page must call it when it starts: a duplicated tab gets a copy of the session storage, so the id
 * stands there only between two pages of the tab.
 */
export function tabId(): string {
  if (id !== undefined) return id
  id = takeStored() ?? newDraftId()
  const own = id
  window.addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(KEY, own)
    } catch {
      // Forbidden storage: the next page is another tab.
    }
  })
  // Back from the browser's cache of whole pages.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) takeStored()
  })
  return id
}

function takeStored(): string | null {
  try {
    const stored = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    return stored
  } catch {
    return null
  }
}
