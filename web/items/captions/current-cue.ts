import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Cue } from '#contract/captions.ts'
import { lineAt } from '#web/items/captions/cue-parts.ts'
import { useFollowPlace } from '#web/core/video-times/VideoTimes.tsx'

/** In ms: for so long the list stays where the reader has scrolled it. */
const READING_MS = 8000
const READING = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/** In seconds: a line stays the current one in the short pause after it. */
const PAUSE = 3

/**
 * Follows the playing video: returns the line that is spoken, marks it and keeps it in the middle of the list. It may be
 * missing in the list, which has only the lines that a search has found. Null if nothing is said.
 */
export function useCurrentCue(
  list: RefObject<HTMLDivElement | null>,
  cues: readonly Cue[],
  listed: readonly Cue[],
): Cue | null {
  const [place, setPlace] = useState(-1)
  const cue = cues[place] ?? null
  const [read] = useState(() => ({ at: -READING_MS }))
  const marked = useRef<Element | null>(null)
  useFollowPlace((at) => setPlace(placeOf(cues, at)))
  const mark = useEffectEvent(() => {
    marked.current?.removeAttribute('aria-current')
    const line =
      list.current === null || cue === null ? null : lineAt(list.current, listed.indexOf(cue))
    marked.current = line
    line?.setAttribute('aria-current', 'true')
    const isRead = performance.now() - read.at < READING_MS
    if (list.current !== null && line !== null && !isRead) center(list.current, line)
  })
  useEffect(() => mark(), [cue, listed])
  useEffect(() => {
    const element = list.current
    const note = () => {
      read.at = performance.now()
    }
    for (const event of READING) element?.addEventListener(event, note, { passive: true })
    return () => {
      for (const event of READING) element?.removeEventListener(event, note)
    }
  }, [list, read, listed])
  return cue
}

/** Returns the place of the line that is spoken, by bisection, or -1. */
export function placeOf(cues: readonly Cue[], at: number): number {
  let low = 0
  let high = cues.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cues[middle]?.from ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  const last = cues[low - 1]
  return last === undefined || at >= last.to + PAUSE ? -1 : low - 1
}

/** Scrolls the list, and not the page. Twice: the first time may show parts whose height was only estimated. */
function center(list: HTMLElement, line: HTMLElement): void {
  const scroll = () => {
    const box = list.getBoundingClientRect()
    const { top, height } = line.getBoundingClientRect()
    list.scrollTop += top - box.top - (box.height - height) / 2
  }
  scroll()
  requestAnimationFrame(scroll)
}
