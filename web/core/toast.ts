/** Passing lines at the top right. The library comes with the first one. */
import type { ReactNode } from 'react'

export interface ToastLine {
  readonly text: ReactNode
  readonly kind: 'done' | 'points' | 'failed'
  /** Only seen: readers are told more elsewhere. */
  readonly silent?: boolean | undefined
}

type Show = (line: ToastLine) => void

const waiting: ToastLine[] = []
let show: Show | null = null
let wake: (() => void) | null = null

/** Shows a line for 2.5 s; survives a navigation that follows at once. */
export function toast(text: ReactNode, kind: ToastLine['kind'] = 'done', silent?: boolean): void {
  const line = { text, kind, silent }
  if (show === null) {
    waiting.push(line)
    wake?.()
  } else show(line)
}

/** The layout learns that the host is wanted. */
export function onFirstToast(listener: () => void): () => void {
  wake = listener
  if (waiting.length > 0) listener()
  return () => {
    wake = null
  }
}

/** The loaded host takes over, what has waited first. */
export function hostToasts(host: Show): () => void {
  show = host
  for (const line of waiting.splice(0)) host(line)
  return () => {
    show = null
  }
}
