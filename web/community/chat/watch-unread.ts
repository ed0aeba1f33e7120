/** The signed-in user's unread count, in every tab. tab.ts passes on the hub's events. */
import { chat } from '#contract/chat.ts'
import { openChannel } from '#web/community/chat/link/channel.ts'
import { createUnread, type Unread } from '#web/community/chat/unread.ts'
import { api } from '#web/core/api.ts'
import { isSessionLost } from '#web/core/renewal.ts'
import { currentPerson, subscribe } from '#web/core/session.ts'
import { setUnreadCount } from '#web/core/unread-count.ts'

let own: { readonly person: string; readonly unread: Unread } | null = null
let isWatching = false

/** Does nothing after the first call. Fetches at once only where no connection will ask for it. */
export function watchUnread(link: { readonly isOff: () => boolean }): void {
  if (isWatching) return
  isWatching = true
  const follow = () => {
    const person = currentPerson()?._id
    if (own?.person === person) return
    own?.unread.stop()
    own = person === undefined ? null : { person, unread: begin(person) }
    if (link.isOff()) void own?.unread.refresh()
  }
  follow()
  subscribe(follow)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void own?.unread.refresh()
  })
}

/** The counter of the current user. */
export const tabUnread: Unread = {
  refresh: async () => own?.unread.refresh(),
  take: (one) => own?.unread.take(one),
  expect: () => own?.unread.expect(),
  see: async (username) => own?.unread.see(username),
  stop: () => own?.unread.stop(),
}

function begin(person: string): Unread {
  return createUnread({
    fetch: async () => (await api(chat.unread, {})).unread,
    // Reading is no reason to ask somebody to sign in.
    markRead: async (username) => (isSessionLost() ? null : api(chat.read, { username })),
    show: setUnreadCount,
    channel: openChannel(`kb:${person}:unread`),
  })
}
