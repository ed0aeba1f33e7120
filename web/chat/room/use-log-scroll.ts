/** The message log's scrolling: it starts at the newest message and follows it until the reader goes up. */
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

/** Pixels from the newest message at which the way back to it is offered. */
const AWAY = 240
/** Pixels that count as the end: browsers round. */
const AT_END = 4

export interface LogScroll {
  /** The newest message is out of sight. */
  readonly isAway: boolean
  /** The log stands at its newest message, so that what is near its top may load. */
  readonly isPlaced: boolean
  readonly goToNewest: () => void
  readonly onScroll: (offset: number) => void
  readonly onResize: () => void
}

/**
 * Whether this render brings messages above the others: then the place is kept from the end.
 * @param first the id of the oldest message
 */
export function useIsPrepended(first: number | undefined): boolean {
  // Still the old one in that render, the new one in the next.
  const oldFirst = useDeferredValue(first)
  return first !== undefined && oldFirst !== undefined && first < oldFirst
}

interface RowsShown {
  readonly count: number
  /** The draft id of the last message that the person wrote: a new one is gone to. */
  readonly written: string | undefined
}

/**
 * Keeps the log at its newest message, or where the reader is.
 * @param isWindowed false until the page lives: then all rows are there, laid out from below
 */
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
      // Rows that are measured above move the offset too, but not away from the end.
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
