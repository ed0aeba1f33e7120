/** Lets rows be dragged by mouse, pen or finger. The list changes once, when a row is dropped. */
import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef } from 'react'
import { indexAfterDrag } from '#web/items/courses/form/lesson-order.ts'

/** Within EDGE pixels of the window's edges the page scrolls by STEP pixels per frame. */
const EDGE = 96
const STEP = 10

interface DragOrder {
  readonly list: RefObject<HTMLOListElement | null>
  readonly begin: (event: ReactPointerEvent<HTMLElement>, from: number) => void
}

/** @param onDrop called when a row is dropped in another place; Escape puts it back */
export function useDragOrder(onDrop: (from: number, to: number) => void): DragOrder {
  const list = useRef<HTMLOListElement>(null)
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])
  return {
    list,
    begin: (event, from) => {
      if (event.button !== 0 || list.current === null) return
      stop.current?.()
      stop.current = dragRow(list.current, event.currentTarget, event.nativeEvent, from, onDrop)
    },
  }
}

/** Drags one row until the pointer is released. Returns a function that cancels the drag. */
function dragRow(
  list: HTMLElement,
  handle: HTMLElement,
  start: PointerEvent,
  from: number,
  onDrop: (from: number, to: number) => void,
): () => void {
  const items = [...list.children].filter((child) => child instanceof HTMLElement)
  const rows = items.map((item) => ({ top: item.offsetTop, height: item.offsetHeight }))
  const [first, second] = rows
  const gap =
    first === undefined || second === undefined ? 0 : second.top - first.top - first.height
  const room = (rows[from]?.height ?? 0) + gap
  const origin = start.clientY + window.scrollY
  const over = new AbortController()
  let y = start.clientY
  let to = from
  let frame = 0

  const draw = () => {
    if (y < EDGE) window.scrollBy(0, -STEP)
    else if (y > window.innerHeight - EDGE) window.scrollBy(0, STEP)
    const shift = y + window.scrollY - origin
    to = indexAfterDrag(rows, from, shift)
    for (const [place, item] of items.entries()) {
      const up = place > from && place <= to ? -room : 0
      const down = place < from && place >= to ? room : 0
      item.style.translate = `0 ${place === from ? shift : up + down}px`
    }
    frame = requestAnimationFrame(draw)
  }
  const end = () => {
    over.abort()
    cancelAnimationFrame(frame)
    list.toggleAttribute('data-dragging', false)
    items[from]?.toggleAttribute('data-dragged', false)
    for (const item of items) item.style.removeProperty('translate')
  }
  const move = (event: PointerEvent) => {
    if (event.pointerId !== start.pointerId) return
    // A few pixels of movement are a click, because no hand is quite still.
    if (frame === 0 && Math.abs(event.clientY - start.clientY) < 4) return
    y = event.clientY
    if (frame !== 0) return
    list.toggleAttribute('data-dragging', true)
    items[from]?.toggleAttribute('data-dragged', true)
    draw()
  }
  const { signal } = over
  handle.setPointerCapture(start.pointerId)
  handle.addEventListener('pointermove', move, { signal })
  handle.addEventListener('pointercancel', end, { signal })
  handle.addEventListener('lostpointercapture', end, { signal })
  handle.addEventListener(
    'pointerup',
    () => {
      end()
      if (to !== from) onDrop(from, to)
    },
    { signal },
  )
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      end()
    },
    { signal },
  )
  return end
}
