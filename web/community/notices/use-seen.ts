import { type RefObject, useEffect } from 'react'
import { notices as calls } from '#contract/notices.ts'
import { api } from '#web/core/api.ts'
import { setNoticeCount } from '#web/core/notice-count.ts'

const SEEN_AFTER_MS = 1200

/**
 * Marks lines (with ids in `data-unread`) as read after they were visible for a moment in an active window. They stay
 * highlighted until the user leaves. A failed call is not retried: the next visit marks them. Later notices than `asOf`
 * stay unread.
 */
export function useSeen(list: RefObject<HTMLElement | null>, asOf: string): void {
  useEffect(() => {
    const lines = new Set(list.current?.querySelectorAll<HTMLElement>('[data-unread]'))
    if (lines.size === 0) return undefined
    const inViewSince = new Map<Element, number>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const mark = () => {
      timer = undefined
      const ids: number[] = []
      for (const line of lines) {
        const since = inViewSince.get(line)
        if (since === undefined || performance.now() - since < SEEN_AFTER_MS) continue
        ids.push(...(line.dataset['unread'] ?? '').split(' ').map(Number))
        lines.delete(line)
        inViewSince.delete(line)
        watch.unobserve(line)
      }
      plan()
      if (ids.length === 0) return
      api(calls.read, { ids, upTo: asOf }).then(
        ({ unread }) => setNoticeCount(unread),
        () => {},
      )
    }
    const plan = () => {
      if (inViewSince.size > 0) timer ??= setTimeout(mark, SEEN_AFTER_MS)
    }
    const watch = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (!isIntersecting) inViewSince.delete(target)
          else if (!inViewSince.has(target)) inViewSince.set(target, performance.now())
        plan()
      },
      { threshold: 0.5 },
    )
    const look = () => {
      watch.disconnect()
      inViewSince.clear()
      if (document.visibilityState === 'visible') for (const line of lines) watch.observe(line)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      watch.disconnect()
      document.removeEventListener('visibilitychange', look)
    }
  }, [list, asOf])
}
