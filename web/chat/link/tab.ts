/**
 * The chat of this tab: its share of the browser's one link to the hub, for all that is open in it, and the number of
 * unread messages. For pages only (it listens to window and document); nothing happens at import. Once opened it stays
 * for the life of the tab, and follows the session.
 */
import { openChannel } from '#web/chat/link/channel.ts'
import { createChatLink, type ChatLink } from '#web/chat/link/chat-link.ts'
import { joinElection } from '#web/chat/link/election.ts'
import { createSharedLink } from '#web/chat/link/shared-link.ts'
import type { Unread } from '#web/chat/unread.ts'
import { createUnsentStore, type UnsentStore } from '#web/chat/conversation/unsent-store.ts'
import { tabUnread, watchUnread } from '#web/chat/watch-unread.ts'
import { freshToken, renew } from '#web/core/renewal.ts'
import { watchNotices } from '#web/notices/watch-notices.ts'
import { currentPerson, currentToken, subscribe } from '#web/core/session.ts'

export interface ChatTab {
  readonly link: ChatLink
  readonly unread: Unread
}

let opened: ChatTab | null = null

/** The link starts with the first call, from an effect. */
export function openTab(): ChatTab {
  opened ??= open()
  return opened
}

/** In localStorage under `kb:{person}:chat:{other}`, both by id. */
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
      : // Where the page is no secure context, tabs can't agree: each has a connection of its own.
        { ...own, isLeader: () => true }
  let person = reachable()
  if (person !== undefined) link.start()
  subscribe(() => {
    const now = reachable()
    if (now !== person) link.stop()
    person = now
    // The session was over and is back.
    const isBack = link.state() === 'signedOut' && currentToken() !== null
    if (now !== undefined && (isBack || link.state() === 'off')) link.start()
  })
  window.addEventListener('online', () => link.wake())
  document.addEventListener('visibilitychange', () => {
    if (isSeen()) link.wake()
  })
  // The browser caches no page that holds a connection or a lock for the way back.
  window.addEventListener('pagehide', () => link.stop())
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && person !== undefined) link.start()
  })
  watchUnread()
  watchNotices({ ...link, openChannel, isConnected: () => link.state() === 'connected' })
  // One answer is enough for all tabs, but a tab that nobody looks at may sleep over the question.
  const expect = () => {
    if (link.isLeader() || isSeen()) tabUnread.expect()
  }
  link.onReceived(expect)
  link.onRead(expect)
  link.onGap(expect)
  return { link, unread: tabUnread }
}

const isSeen = () => document.visibilityState === 'visible'

/** Whose connection the hub takes: it has none for the suspended, and for who has to set up a second factor first. */
function reachable(): string | undefined {
  const person = currentPerson()
  return person?.suspended === true || person?.factorless === true ? undefined : person?._id
}
