/** A page that was opened before an upgrade: when something of it can't be had any more, it starts again by itself. */
import { to } from '#web/core/paths.ts'

/** The build for which this tab has started again already. */
const KEY = 'kb:outlived'
const LONGEST_WAIT_MS = 5000

/**
 * Loads the page again when the server has another build than the page, once for each build. What is typed is stored as
 * the page goes (see drafts.ts). False: there was no upgrade, or nobody could be asked, so what failed is to be shown.
 */
export async function reloadIfUpgraded(): Promise<boolean> {
  const script = document.querySelector('script[type="module"]')?.getAttribute('src')
  if (typeof script !== 'string' || !(await isReplaced(script))) return false
  try {
    if (sessionStorage.getItem(KEY) === script) return false
    sessionStorage.setItem(KEY, script)
  } catch {
    // Without memory nothing would end the circle.
    return false
  }
  window.location.reload()
  return true
}

/** A build's entry is named by all that it leads to, so a page of the server names ours or is of another build. */
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
