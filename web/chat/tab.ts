/**
 * The chat of this tab: one link to the hub for all that is open in it. For pages only (it listens to window and
 * document); nothing happens at import. Once opened it stays for the life of the tab, and follows the session.
 */
import { createChatLink, type ChatLink } from '#web/chat/chat-link.ts'
import type { Unread } from '#web/chat/unread.ts'
import { keepUnsent, type UnsentStore } from '#web/chat/unsent-store.ts'
import { tabUnread, watchUnread } from '#web/chat/watch-unread.ts'
import { freshToken, renew } from '#web/core/renewal.ts'
import { currentPerson, currentToken, subscribe } from '#web/core/session.ts'

export interface ChatTab {
  readonly link: ChatLink
  readonly unread: Unread
}

let opened: ChatTab | null = null

/** The link starts with the first call, from an effect of a chat page. */
export function openTab(): ChatTab {
  opened ??= open()
  return opened
}

/** In localStorage under `kb:{person}:chat:{other}`, both by id. */
export const keptUnsent = (personId: string, otherId: string): UnsentStore =>
  keepUnsent(() => localStorage, personId, otherId)

function open(): ChatTab {
  const link = createChatLink({
    url: '/chatHub',
    token: freshToken,
    renew,
    username: () => currentPerson()?.username ?? '',
  })
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
    if (document.visibilityState === 'visible') link.wake()
  })
  watchUnread()
  link.onReceived(tabUnread.expect)
  link.onGap(tabUnread.expect)
  return { link, unread: tabUnread }
}

/** Whose connection the hub takes: it has none for the suspended. */
function reachable(): string | undefined {
  const person = currentPerson()
  return person?.suspended === true ? undefined : person?._id
}
