/** The chat over HTTP: write, read back, contacts, blocks. */
import { chat } from '#contract/chat.schemas.ts'
import { shownPerson } from '#server/accounts/answer.ts'
import { deleteBlock, insertBlock, isBlocked } from '#server/chat/blocks.ts'
import {
  deliverUnclaimed,
  requireOther,
  toMessage,
  writeMessage,
  type ChatNeeds,
} from '#server/chat/messages.ts'
import {
  countUnread,
  listContactIds,
  listContacts,
  listMessages,
  markRead,
} from '#server/chat/store.ts'
import { route, type Route } from '#server/kernel/call.ts'
import { conflict, notFound } from '#server/kernel/errors.ts'
import type { Log } from '#server/kernel/log.ts'

export interface ChatRouteNeeds extends ChatNeeds {
  readonly log: Log
}

export interface ChatRoutes {
  readonly routes: Route[]
  /** Delivers at once what was to be delivered later: who listens at another node would not hear of it before a reload. */
  readonly deliverAll: () => Promise<void>
}

/** What no hub call has asked for by then is delivered by us. */
const UNCLAIMED_MS = 2000

export function chatRoutes(needs: ChatRouteNeeds): ChatRoutes {
  const { db, clock, log } = needs
  const timers = new Map<number, NodeJS.Timeout>()
  const deliverNow = (id: number) => {
    clearTimeout(timers.get(id))
    timers.delete(id)
    return deliverUnclaimed(needs, id).catch((error: unknown) => log.error({ err: error }, 'chat'))
  }
  const deliverLater = (id: number) => {
    timers.set(
      id,
      setTimeout(() => void deliverNow(id), UNCLAIMED_MS),
    )
  }
  const routes = [
    route(chat.create, async ({ viewer }, { text, receiverUsername, draftId }) => {
      const letter = { senderId: viewer.id, receiver: receiverUsername, text, draftId }
      const { message, isNew } = await writeMessage(needs, letter)
      if (isNew) deliverLater(message.id)
      return toMessage(message)
    }),
    route(chat.history, async ({ viewer }, { receiver, before, after }) => {
      const other = await requireOther(needs, viewer.id, receiver)
      const rows = await listMessages(db, [viewer.id, other], { before, after })
      return rows.map(toMessage)
    }),
    route(chat.contacts, async ({ viewer }, { page = 1 }) => {
      const rows = await listContacts(db, viewer.id, page)
      return rows.map((row) => ({
        ...shownPerson(row.person_id, row.username, row.picture),
        id: row.id,
        lastText: row.text,
        date: row.created_at.toISOString(),
        unread: row.unread,
      }))
    }),
    route(chat.contactIds, ({ viewer }) => listContactIds(db, viewer.id)),
    route(chat.unread, async ({ viewer }) => ({ unread: await countUnread(db, viewer.id) })),
    route(chat.read, async ({ viewer }, { username }) => {
      const other = await requireOther(needs, viewer.id, username)
      if (await markRead(db, viewer.id, other)) needs.tellRead(viewer.id)
      return null
    }),
    route(chat.isBlocked, async ({ viewer }, { id }) => ({
      blocked: await isBlocked(db, viewer.id, id),
    })),
    route(chat.block, async ({ viewer }, { id }) => {
      if (id === viewer.id) throw conflict('blockOneself')
      const person = await db
        .selectFrom('users')
        .select('id')
        .where('id', '=', id)
        .where('erased_at', 'is', null)
        .executeTakeFirst()
      if (person === undefined) throw notFound('profileNotFound')
      await insertBlock(db, viewer.id, id, clock.now())
      return { blocked: true }
    }),
    route(chat.unblock, async ({ viewer }, { id }) => {
      await deleteBlock(db, viewer.id, id)
      return { blocked: false }
    }),
  ]
  return {
    routes,
    deliverAll: async () => {
      await Promise.all([...timers.keys()].map(deliverNow))
    },
  }
}
