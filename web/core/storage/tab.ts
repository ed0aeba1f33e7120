/** The id of this browser tab. It survives reloads and navigation, and no two open tabs share one. */
import { newDraftId } from '#web/core/storage/draft-id.ts'

const KEY = 'kb:tab'
let id: string | undefined

/** Call it on every page. Duplicating a tab copies sessionStorage, so the id is stored there only between two pages. */
export function tabId(): string {
  if (id !== undefined) return id
  id = takeStored() ?? newDraftId()
  const own = id
  window.addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(KEY, own)
    } catch {
      // The storage is forbidden, so the next page counts as a new tab.
    }
  })
  // Removes the stored id after a restore from the back/forward cache.
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
