import { useEffect, useState, useSyncExternalStore } from 'react'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { ChatLink, LinkState } from '#web/community/chat/link/chat-link.ts'
import { openTab } from '#web/community/chat/link/tab.ts'
import { useText } from '#web/core/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/items/flags/BlockedLine.module.css'

/** Interruptions shorter than this (in ms) are not shown. */
const DELAY_MS = 1000

/** Null if the state needs no message. */
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

/** The first component that reads the state opens the link. */
function subscribe(listener: () => void): () => void {
  link = openTab().link
  return link.onState(listener)
}

export function LinkLine() {
  const { t } = useText()
  const state = useSyncExternalStore(subscribe, stateNow, off)
  const words = LINK_WORDS[state]
  const [isLate, setIsLate] = useState(false)
  const isWrong = words !== null
  useEffect(() => {
    if (!isWrong) return undefined
    const timer = setTimeout(() => setIsLate(true), DELAY_MS)
    return () => {
      clearTimeout(timer)
      setIsLate(false)
    }
  }, [isWrong])
  // Screen readers announce a live region only if it exists before its text.
  return (
    <div role="status">
      {isLate && words !== null && (
        <p className={styles.blockedLine}>
          <Icon name={state === 'signedOut' ? 'lock' : 'retry'} />
          {t(words)}
        </p>
      )}
    </div>
  )
}
