/**
 * The chat of this tab: its shared link to the hub, and the number of unread messages. Once opened, it stays for the
 * life of the tab and follows the session.
 */
import { openChannel } from '#web/community/chat/link/channel.ts'
import { createChatLink, type ChatLink } from '#web/community/chat/link/chat-link.ts'
import { joinElection } from '#web/community/chat/link/election.ts'
import { createSharedLink } from '#web/community/chat/link/shared-link.ts'
import type { Unread } from '#web/community/chat/unread.ts'
import {
  createUnsentStore,
  type UnsentStore,
} from '#web/community/chat/conversation/unsent-store.ts'
import { tabUnread, watchUnread } from '#web/community/chat/watch-unread.ts'
import { freshToken, renew } from '#web/core/renewal.ts'
import { watchNotices } from '#web/community/notices/watch-notices.ts'
import { currentPerson, currentToken, subscribe } from '#web/core/session.ts'

export interface ChatTab {
  readonly link: ChatLink
  readonly unread: Unread
}

let opened: ChatTab | null = null

/** The first call starts the link, so call it in an effect. */
export function openTab(): ChatTab {
  opened ??= open()
  return opened
}

export const unsentStoreOf = (personId: string, otherId: string): UnsentStore =>
  createUnsentStore(() => localStorage, personId, otherId)

function open(): ChatTab {
  const own = createChatLink({
    url: '/chatHub',
    token: freshToken,
    renew,
    username: () => currentPerson()?.username ?? '',
  })
  const link =
    'locks' in navigator
      ? createSharedLink({
          own,
          openChannel: () => openChannel(`kb:${person}:link`),
          joinElection: (leadership) => joinElection(`kb:${person}:link`, leadership),
        })
      : // Locks are missing outside of secure contexts, so each tab has its own connection.
        { ...own, isLeader: () => true }
  let person = reachable()
  if (person !== undefined) link.start()
  subscribe(() => {
    const now = reachable()
    if (now !== person) link.stop()
    person = now
    // The user has signed in again after the session was lost.
    const isBack = link.state() === 'signedOut' && currentToken() !== null
    if (now !== undefined && (isBack || link.state() === 'off')) link.start()
  })
  window.addEventListener('online', () => link.wake())
  document.addEventListener('visibilitychange', () => {
    if (isSeen()) link.wake()
  })
  // Browsers keep no page with an open connection or lock in the back/forward cache.
  window.addEventListener('pagehide', () => link.stop())
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && person !== undefined) link.start()
  })
  const isConnected = () => link.state() === 'connected'
  const isOff = () => link.state() === 'off'
  // A tab that joins another tab's connection gets no gap, but something may have happened since its page was rendered.
  const onGap = (listener: () => void) => {
    link.onGap(listener)
    link.onState(() => {
      if (isConnected() || link.state() === 'disconnected') listener()
    })
  }
  watchUnread({ isOff })
  watchNotices({ ...link, openChannel, isConnected, isOff, onGap })
  // One request is enough for all tabs, but the browser may suspend a hidden one, so visible tabs ask too.
  const expect = () => {
    if (link.isLeader() || isSeen()) tabUnread.expect()
  }
  link.onReceived(expect)
  link.onRead(expect)
  onGap(expect)
  return { link, unread: tabUnread }
}

const isSeen = () => document.visibilityState === 'visible'

/** The hub refuses suspended people, and those who must set up a second factor first. */
function reachable(): string | undefined {
  const person = currentPerson()
  return person?.suspended === true || person?.factorless === true ? undefined : person?._id
}
