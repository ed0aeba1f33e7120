/** A conversation as the page shows it: opened with the page, closed with it. */
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
} from '#web/chat/conversation/conversation.ts'
import { renewContacts } from '#web/chat/live-contacts.ts'
import { openRoom, type Room } from '#web/chat/conversation/room.ts'
import { unsentStoreOf, openTab } from '#web/chat/link/tab.ts'
import { api } from '#web/core/api.ts'
import { to } from '#web/core/paths.ts'

export interface Talk {
  readonly other: ProfileCard
  /** The newest page, oldest first. */
  readonly history: readonly Message[]
  /** By the one who looks. */
  readonly blocked: boolean
  /** How many of the history's last ones were not read. */
  readonly unread: number
}

interface OpenTalk {
  /** Null on the server and in the first paint. */
  readonly room: Room | null
  readonly conversation: Conversation
}

const isSeen = () => document.visibilityState === 'visible'
/** One room for the life of a component: give it a key of the two. `onArrival` must stay the same function. */
export function useRoom(me: Person, talk: Talk, onArrival: (id: number) => void): OpenTalk {
  // Later data of the loader know nothing that the room does not.
  const [door] = useState(() => createDoor(me, talk, onArrival))
  const open = useSyncExternalStore(door.enter, door.inside, door.outside)
  useFollowedName(talk.other.userName, open.conversation.other)
  return open
}

/** The room as React knows stores: it is open while somebody listens. */
function createDoor(me: Person, talk: Talk, onArrival: (id: number) => void) {
  const first = beginConversation({
    me: me.username,
    other: talk.other.userName,
    history: talk.history,
    unread: talk.unread,
  })
  const outside: OpenTalk = { room: null, conversation: first }
  let inside = outside
  return {
    outside: () => outside,
    inside: () => inside,
    enter: (listener: () => void) => {
      const { room, leave } = enter(me, talk, onArrival)
      const look = () => {
        inside = { room, conversation: room.current() }
        listener()
      }
      const end = room.subscribe(look)
      look()
      return () => {
        end()
        leave()
        inside = { room: null, conversation: inside.conversation }
      }
    },
  }
}

function enter(
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

/** Somebody who is called otherwise now has another address. */
function useFollowedName(shown: string, heard: string): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (heard !== shown) void navigate(to.chat(heard), { replace: true, preventScrollReset: true })
  }, [heard, shown, navigate])
}
