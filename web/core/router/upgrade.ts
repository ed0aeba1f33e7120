/** Reloads a page that was opened before a deployment if a file of its build is gone. */
import { to } from '#web/core/paths.ts'

/** Stores the build for which this tab has already reloaded. */
const KEY = 'kb:outlived'
const LONGEST_WAIT_MS = 5000

/**
 * Reloads once for each build of the server that differs from the page's. Returns false if there is no new build or the
 * server cannot be asked. Typed text survives (see drafts.ts).
 */
export async function reloadIfUpgraded(): Promise<boolean> {
  const script = document.querySelector('script[type="module"]')?.getAttribute('src')
  if (typeof script !== 'string' || !(await isReplaced(script))) return false
  try {
    if (sessionStorage.getItem(KEY) === script) return false
    sessionStorage.setItem(KEY, script)
  } catch {
    // Without storage, nothing would stop a reload loop.
    return false
  }
  window.location.reload()
  return true
}

/** The entry's file name contains a hash of all it imports, so a page without it belongs to another build. */
async function isReplaced(script: string): Promise<boolean> {
  if (!navigator.onLine) return false
  try {
    const answer = await fetch(to.about(), {
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(LONGEST_WAIT_MS),
    })
    return answer.ok && !(await answer.text()).includes(`"${script}"`)
  } catch {
    return false
  }
}
