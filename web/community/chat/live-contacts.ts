/** Keeps the list of contacts up to date while messages arrive. */
import { useEffect, useState } from 'react'
import { chat, type Contact } from '#contract/chat.ts'
import { openTab } from '#web/community/chat/link/tab.ts'
import { api } from '#web/core/api.ts'

/** Wait in ms before a refresh, so that one request covers several messages. */
const PAUSE = 400

const listeners = new Set<() => void>()

/** Call it after sending or reading here. The hub notifies every tab except the one that acted. */
export function renewContacts(): void {
  for (const listener of listeners) listener()
}

/** `loaded` is the loader's page of contacts. */
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
        // The next message triggers another request, and LinkLine shows the state of the connection.
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
