/** The scroll position of the message log. It follows the newest message until the reader scrolls up. */
import {
  type RefObject,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { VirtualizerHandle } from 'virtua'

/** At this distance in px from the newest message, a button to return appears. */
const AWAY = 240
/** A distance in px that counts as the end, because browsers round. */
const AT_END = 4

export interface LogScroll {
  /** The newest message is out of sight. */
  readonly isAway: boolean
  /** The log has been scrolled to its newest message, so older messages may load near the top. */
  readonly isPlaced: boolean
  readonly goToNewest: () => void
  readonly onScroll: (offset: number) => void
  readonly onResize: () => void
}

/** True in the render that adds older messages on top, when the list keeps its position relative to the end. */
export function useIsPrepended(first: number | undefined): boolean {
  // The deferred value is still the old one in that render.
  const oldFirst = useDeferredValue(first)
  return first !== undefined && oldFirst !== undefined && first < oldFirst
}

interface RowsShown {
  readonly count: number
  /** The draft id of the user's last message. The log scrolls to a new one. */
  readonly written: string | undefined
}

/** `isWindowed` is false until hydration, when all rows are in the DOM and aligned to the bottom. */
export function useLogScroll(
  list: RefObject<VirtualizerHandle | null>,
  rows: RowsShown,
  isWindowed: boolean,
): LogScroll {
  const { count, written } = rows
  const follows = useRef(true)
  const last = useRef(0)
  const [isAway, setIsAway] = useState(false)
  const [isPlaced, setIsPlaced] = useState(false)
  const goToNewest = () => {
    follows.current = true
    list.current?.scrollToIndex(count - 1, { align: 'end' })
  }
  const follow = useEffectEvent((always: boolean) => {
    if (always || follows.current) goToNewest()
  })
  useLayoutEffect(() => {
    if (isWindowed) follow(false)
  }, [isWindowed, count])
  useEffect(() => {
    if (written !== undefined) follow(true)
  }, [written])
  return {
    isAway,
    isPlaced,
    goToNewest,
    onScroll: (offset) => {
      const { scrollSize = 0, viewportSize = 0 } = list.current ?? {}
      const below = scrollSize - viewportSize - offset
      // Measuring rows above also changes the offset, but keeps the distance to the end.
      if (below <= AT_END) follows.current = true
      else if (offset < last.current) follows.current = false
      last.current = offset
      setIsAway(below > AWAY && !follows.current)
    },
    onResize: () => {
      if (follows.current) goToNewest()
      setIsPlaced(true)
    },
  }
}
