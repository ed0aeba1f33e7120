/**
 * The unread number of the signed-in person, in every tab of this browser. For pages only; nothing happens at import.
 * It knows nothing of the hub: whoever hears of something notifies it (`tab.ts`).
 */
import { chat } from '#contract/chat.ts'
import { openChannel } from '#web/chat/link/channel.ts'
import { createUnread, type Unread } from '#web/chat/unread.ts'
import { api } from '#web/core/api.ts'
import { isSessionLost } from '#web/core/renewal.ts'
import { currentPerson, subscribe } from '#web/core/session.ts'
import { setUnreadCount } from '#web/core/unread-count.ts'

let own: { readonly person: string; readonly unread: Unread } | null = null
let isWatching = false

/** Once for a page; does nothing when it has been called. */
export function watchUnread(): void {
  if (isWatching) return
  isWatching = true
  follow()
  subscribe(follow)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void own?.unread.refresh()
  })
}

/** Of whoever is signed in. */
export const tabUnread: Unread = {
  refresh: async () => own?.unread.refresh(),
  take: (one) => own?.unread.take(one),
  expect: () => own?.unread.expect(),
  see: async (username) => own?.unread.see(username),
  stop: () => own?.unread.stop(),
}

function follow(): void {
  const person = currentPerson()?._id
  if (own?.person === person) return
  own?.unread.stop()
  own = person === undefined ? null : { person, unread: begin(person) }
  void own?.unread.refresh()
}

function begin(person: string): Unread {
  return createUnread({
    fetch: async () => (await api(chat.unread, {})).unread,
    // Having looked is no reason to ask somebody to sign in.
    markRead: async (username) => (isSessionLost() ? null : api(chat.read, { username })),
    show: setUnreadCount,
    channel: openChannel(`kb:${person}:unread`),
  })
}
