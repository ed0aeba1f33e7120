import { type RefObject, useLayoutEffect, useRef } from 'react'

interface Place {
  readonly row: Element
  readonly top: number
}

/**
 * Keeps the row that is being read in place while others are added above it. The children of `list` are stretches,
 * and their children the rows. Call the returned function right before the rows are added. If the list only peeks
 * in at the bottom of the window, or a field has the focus, nothing is adjusted.
 */
export function useScrollAnchor(list: RefObject<HTMLElement | null>): () => void {
  const place = useRef<Place | null>(null)
  useLayoutEffect(() => {
    if (place.current === null) return
    const { row, top } = place.current
    place.current = null
    const moved = row.getBoundingClientRect().top - top
    if (row.isConnected && moved !== 0) window.scrollBy({ top: moved, behavior: 'instant' })
  })
  return () => {
    place.current = readPlace(list.current)
  }
}

function firstSeen(elements: Iterable<Element> | undefined): Element | null {
  for (const element of elements ?? []) {
    if (element.getBoundingClientRect().bottom > 0) return element
  }
  return null
}

function readPlace(list: HTMLElement | null): Place | null {
  const isWriting = document.activeElement?.tagName === 'TEXTAREA'
  if (list === null || isWriting) return null
  if (list.getBoundingClientRect().top > window.innerHeight / 2) return null
  // Measuring a row lays out its whole stretch, so the stretches are measured first.
  const row = firstSeen(firstSeen(list.children)?.children)
  return row === null ? null : { row, top: row.getBoundingClientRect().top }
}
