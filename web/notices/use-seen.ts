import { useEffect } from 'react'
import { notices as calls, type Notice } from '#contract/notices.ts'
import { api } from '#web/core/api.ts'
import { setNoticeCount } from '#web/core/notice-count.ts'

/** Long enough to have been looked at. */
const SEEN_MS = 1200

/**
 * Marks as read what has been on the screen for a moment, in a window that is looked at. Lines keep their mark until the
 * page is left, so that one still sees what was new. What can't be marked now is marked the next time.
 * @param asOf what was added to a line since is not seen yet
 */
export function useSeen(notices: readonly Notice[], asOf: string): void {
  useEffect(() => {
    const ids = notices.filter(({ read }) => !read).map(({ id }) => id)
    if (ids.length === 0) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const mark = () => {
      document.removeEventListener('visibilitychange', plan)
      api(calls.read, { ids, upTo: asOf }).then(
        ({ unread }) => setNoticeCount(unread),
        () => {},
      )
    }
    const plan = () => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') timer = setTimeout(mark, SEEN_MS)
    }
    plan()
    document.addEventListener('visibilitychange', plan)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', plan)
    }
  }, [notices, asOf])
}
