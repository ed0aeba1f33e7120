import { useEffect, useState, useSyncExternalStore } from 'react'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { ChatLink, LinkState } from '#web/chat/link/chat-link.ts'
import { openTab } from '#web/chat/link/tab.ts'
import { useText } from '#web/core/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/flags/BlockedLine.module.css'

/** Milliseconds: what is over by then was no interruption. */
const PATIENCE = 1000

/** What to say of a state; null: nothing to say. */
const LINK_WORDS: Readonly<Record<LinkState, MessageKey | null>> = {
  off: null,
  connecting: 'chatConnecting',
  connected: null,
  reconnecting: 'chatReconnecting',
  disconnected: 'chatDisconnected',
  signedOut: 'chatSignedOut',
}

let link: ChatLink | null = null
const stateNow = (): LinkState => link?.state() ?? 'off'
const off = (): LinkState => 'off'

/** The link begins when the first component asks for its state. */
function subscribe(listener: () => void): () => void {
  link = openTab().link
  return link.onState(listener)
}

/** The state of the connection in words, while it is not as it should be. */
export function LinkLine() {
  const { t } = useText()
  const state = useSyncExternalStore(subscribe, stateNow, off)
  const words = LINK_WORDS[state]
  const [late, setLate] = useState(false)
  const isWrong = words !== null
  useEffect(() => {
    if (!isWrong) return undefined
    const timer = setTimeout(() => setLate(true), PATIENCE)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isWrong])
  // The region is there before it speaks, or readers would not hear it.
  return (
    <div role="status">
      {late && words !== null && (
        <p className={styles.wire}>
          <Icon name={state === 'signedOut' ? 'lock' : 'retry'} />
          {t(words)}
        </p>
      )}
    </div>
  )
}
