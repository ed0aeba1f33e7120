import { useEffect, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import type { Person } from '#contract/render.ts'
import type { Message } from '#contract/chat.ts'
import { isFormerMember } from '#contract/former-member.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import {
  beginConversation,
  type Conversation,
  newestId,
} from '#web/community/chat/conversation/conversation.ts'
import { renewContacts } from '#web/community/chat/live-contacts.ts'
import { openRoom, type Room } from '#web/community/chat/conversation/room.ts'
import { unsentStoreOf, openTab } from '#web/community/chat/link/tab.ts'
import { api } from '#web/core/api.ts'
import { to } from '#web/core/paths.ts'

export interface Talk {
  readonly other: ProfileCard
  /** The newest page, oldest first. */
  readonly history: readonly Message[]
  /** Whether the signed-in user has blocked the other person. */
  readonly blocked: boolean
  /** The number of unread messages at the end of the history. */
  readonly unread: number
}

interface OpenTalk {
  /** Null on the server and in the first render. */
  readonly room: Room | null
  readonly conversation: Conversation
}

const isSeen = () => document.visibilityState === 'visible'
/** The component's key must identify both people. `onArrival` must be a stable function. */
export function useRoom(me: Person, talk: Talk, onArrival: (id: number) => void): OpenTalk {
  // The room already knows everything that later loader data contain.
  const [store] = useState(() => createRoomStore(me, talk, onArrival))
  const open = useSyncExternalStore(store.subscribe, store.read, store.readOnServer)
  useFollowedName(talk.other.userName, open.conversation.other)
  return open
}

/** Adapts the room to useSyncExternalStore: it is open while somebody subscribes. */
function createRoomStore(me: Person, talk: Talk, onArrival: (id: number) => void) {
  const conversation = beginConversation({
    me: me.username,
    other: talk.other.userName,
    history: talk.history,
    unread: talk.unread,
  })
  const first: OpenTalk = { room: null, conversation }
  let current = first
  return {
    readOnServer: () => first,
    read: () => current,
    subscribe: (listener: () => void) => {
      const { room, leave } = enterRoom(me, talk, onArrival)
      const update = () => {
        current = { room, conversation: room.current() }
        listener()
      }
      const end = room.subscribe(update)
      update()
      return () => {
        end()
        leave()
        current = { room: null, conversation: current.conversation }
      }
    },
  }
}

function enterRoom(
  me: Person,
  { other, history, unread: count }: Talk,
  onArrival: (id: number) => void,
) {
  const { link, unread } = openTab()
  const former = isFormerMember(other.userName) ? other.id : undefined
  const room = openRoom({
    api,
    link,
    store: unsentStoreOf(me._id, other.id),
    me,
    other: other.userName,
    receiver: former,
    history,
    unread: count,
    isSeen,
  })
  let isUnseen = count > 0
  const see = () => {
    if (!isUnseen || !isSeen()) return
    isUnseen = false
    void unread.see(former ?? room.current().other).then(renewContacts)
  }
  let newest = newestId(room.current())
  const ends = [
    room.onArrival(() => {
      isUnseen = true
      onArrival(newestId(room.current()))
      see()
    }),
    room.onElsewhere((one) => {
      unread.take(one)
      onArrival(one.id)
    }),
    link.onReceived((one) => {
      if (one.senderUsername === room.current().other && !isSeen()) unread.take(one)
    }),
    room.subscribe(() => {
      if (newestId(room.current()) === newest) return
      newest = newestId(room.current())
      renewContacts()
    }),
  ]
  document.addEventListener('visibilitychange', see)
  see()
  return {
    room,
    leave: () => {
      document.removeEventListener('visibilitychange', see)
      for (const end of ends) end()
      room.close()
    },
  }
}

/** A new name of the other person changes the page's URL. */
function useFollowedName(shown: string, current: string): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (current !== shown)
      void navigate(to.chat(current), { replace: true, preventScrollReset: true })
  }, [current, shown, navigate])
}
