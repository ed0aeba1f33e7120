import { type RefObject, useLayoutEffect, useRef } from 'react'

interface Place {
  readonly row: Element
  readonly top: number
}

/**
 * `list` holds stretches, and these the rows. Keeps the row that is being read where it is while others come above it. Call what it gives right before they come.
 * A list that only peeks in below, or whose form is being filled, is not being read: there the new rows just appear.
 */
export function useSteadyList(list: RefObject<HTMLElement | null>): () => void {
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
  // Asking for a row's place lays out its whole stretch, so the stretches are asked first.
  const row = firstSeen(firstSeen(list.children)?.children)
  return row === null ? null : { row, top: row.getBoundingClientRect().top }
}
