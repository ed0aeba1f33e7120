import { chat } from '#contract/chat.ts'
import { shownPerson } from '#server/people/accounts/answer.ts'
import { deleteBlock, insertBlock, isBlocked } from '#server/community/chat/blocks.ts'
import { requireOther, toMessage, writeMessage } from '#server/community/chat/messages.ts'
import {
  countUnread,
  listContactIds,
  listContacts,
  listMessages,
  markRead,
} from '#server/community/chat/store.ts'
import { endFollowsBetween } from '#server/items/follows/follows.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { conflict, notFound } from '#server/kernel/errors.ts'

export function routes(core: Core): Route[] {
  const { db, clock, events } = core
  return [
    route(chat.create, async ({ viewer }, { text, receiverUsername, draftId }) => {
      const letter = { senderId: viewer.id, receiver: receiverUsername, text, draftId }
      const message = await writeMessage(core, letter)
      // Also publishes for a repeated draft, because the first call may have failed before publishing.
      events.publish({
        type: 'message.written',
        messageId: message.id,
        senderId: message.sender_id,
        receiverId: message.receiver_id,
      })
      return toMessage(message)
    }),
    route(chat.history, async ({ viewer }, { receiver, before, after }) => {
      const other = await requireOther(core, viewer.id, receiver)
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
      const other = await requireOther(core, viewer.id, username)
      if (await markRead(db, viewer.id, other))
        events.publish({ type: 'messages.read', userId: viewer.id })
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
      await db.transaction().execute(async (tx) => {
        await endFollowsBetween(tx, viewer.id, id)
        await insertBlock(tx, viewer.id, id, clock.now())
      })
      return { blocked: true }
    }),
    route(chat.unblock, async ({ viewer }, { id }) => {
      await deleteBlock(db, viewer.id, id)
      return { blocked: false }
    }),
  ]
}
