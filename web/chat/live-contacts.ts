/** The contacts as they are now: asked for again when something was said. */
import { useEffect, useState } from 'react'
import { chat, type Contact } from '#contract/chat.ts'
import { openTab } from '#web/chat/link/tab.ts'
import { api } from '#web/core/api.ts'

/** Milliseconds: so many messages are answered by one question. */
const PAUSE = 400

const listeners = new Set<() => void>()

/** Something was sent or read here; the hub notifies every tab but the one that did it. */
export function renewContacts(): void {
  for (const listener of listeners) listener()
}

/** `loaded`: a page of contacts as the loader had it. */
export function useLiveContacts(loaded: readonly Contact[], page = 1): readonly Contact[] {
  const [fresh, setFresh] = useState<{ readonly list: readonly Contact[]; readonly of: unknown }>()
  useEffect(() => {
    const { link } = openTab()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async () => {
      timer = undefined
      try {
        const list = await api(chat.contacts, { page })
        if (!isOver) setFresh({ list, of: loaded })
      } catch {
        // The next message asks again; the state of the connection is shown elsewhere.
      }
    }
    const plan = () => {
      timer ??= setTimeout(() => void ask(), PAUSE)
    }
    listeners.add(plan)
    const ends = [link.onReceived(plan), link.onSent(plan), link.onRead(plan), link.onGap(plan)]
    return () => {
      isOver = true
      clearTimeout(timer)
      listeners.delete(plan)
      for (const end of ends) end()
    }
  }, [loaded, page])
  return fresh?.of === loaded ? fresh.list : loaded
}
