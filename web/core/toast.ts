/** Short messages at the top right. The library loads with the first one. */
import type { ReactNode } from 'react'

export interface ToastLine {
  readonly text: ReactNode
  readonly kind: 'done' | 'points' | 'failed'
  /** Visible only, because screen readers get a longer announcement elsewhere. */
  readonly silent?: boolean | undefined
}

type Show = (line: ToastLine) => void

const waiting: ToastLine[] = []
let show: Show | null = null
let wake: (() => void) | null = null

/** Shows a message for 2.5 s, even if a navigation follows at once. */
export function toast(text: ReactNode, kind: ToastLine['kind'] = 'done', silent?: boolean): void {
  const line = { text, kind, silent }
  if (show === null) {
    waiting.push(line)
    wake?.()
  } else show(line)
}

/** Notifies the layout that it must load the toast host. */
export function onFirstToast(listener: () => void): () => void {
  wake = listener
  if (waiting.length > 0) listener()
  return () => {
    wake = null
  }
}

/** Registers the loaded host and shows the waiting messages first. */
export function hostToasts(host: Show): () => void {
  show = host
  for (const line of waiting.splice(0)) host(line)
  return () => {
    show = null
  }
}
