/** Messages between two people, contacts, and blocked people. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import {
  Cursor,
  DraftId,
  ImagePath,
  Instant,
  Nothing,
  Page,
  text,
  UserId,
} from '#contract/fields.ts'
import { CHAT_MESSAGE } from '#contract/limits.ts'
import { ProfileCard } from '#contract/profile-card.ts'

export const Message = z.object({
  id: z.number(),
  text: z.string(),
  senderUsername: z.string(),
  senderImage: ImagePath,
  receiverUsername: z.string(),
  receiverImage: ImagePath,
  date: Instant,
})
export type Message = z.infer<typeof Message>

export const Contact = z.object({
  ...ProfileCard.shape,
  lastText: z.string(),
  date: Instant,
  /** Unread messages from this contact. */
  unread: z.number(),
})
export type Contact = z.infer<typeof Contact>

export const MessageText = text(CHAT_MESSAGE, 'chatMessageMs')
/** A current name, or one given up in the last 180 days, in any case. */
const Name = z
  .string({ error: 'usernameValMsg' })
  .check(z.minLength(1, { error: 'usernameValMsg' }), z.maxLength(100, { error: 'usernameValMsg' }))
const Blocked = z.object({ blocked: z.boolean() })
const ByUser = z.object({ id: UserId })

export const chat = endpoints({
  history: {
    methods: ['GET'],
    path: '/message/all/{receiver}',
    access: 'user',
    scope: 'chat',
    input: z.object({ receiver: Name, before: z.optional(Cursor), after: z.optional(Cursor) }),
    answer: z.array(Message),
    summary:
      'Messages with a person, oldest first: the newest 50, 50 older than `before`, or up to 200 newer than `after` (0: from the beginning)',
  },
  create: {
    methods: ['POST'],
    path: '/message/create',
    access: 'user',
    scope: 'chat',
    input: z.object({ text: MessageText, receiverUsername: Name, draftId: DraftId }),
    answer: Message,
    summary: 'Write to a person; who never calls the hub is delivered 2 seconds later',
  },
  contacts: {
    methods: ['GET'],
    path: '/message/contacts',
    access: 'user',
    scope: 'chat',
    input: z.object({ page: z.optional(Page) }),
    answer: z.array(Contact),
    summary: 'People the caller exchanged messages with, newest first, 50 a page',
  },
  contactIds: {
    methods: ['GET'],
    path: '/identity/allContacts',
    access: 'user',
    scope: 'chat',
    input: Nothing,
    answer: z.array(z.string()),
    summary:
      'Ids of the people the caller exchanged messages with and who are still there, newest first, up to 1,000',
  },
  unread: {
    methods: ['GET'],
    path: '/message/unread',
    access: 'user',
    scope: 'chat',
    input: Nothing,
    answer: z.object({ unread: z.number() }),
    summary: 'How many messages the caller has not read',
  },
  read: {
    methods: ['POST'],
    path: '/message/read/{username}',
    access: 'user',
    scope: 'chat',
    input: z.object({ username: Name }),
    answer: null,
    summary: 'All messages of a person have been read',
  },
  isBlocked: {
    methods: ['GET'],
    path: '/identity/block/{id}',
    access: 'user',
    scope: 'chat',
    input: ByUser,
    answer: Blocked,
    summary: 'Whether the caller blocked a person',
  },
  block: {
    methods: ['POST'],
    path: '/identity/block/{id}',
    access: 'user',
    scope: 'chat',
    input: ByUser,
    answer: Blocked,
    summary: 'Take no more messages and mails from a person',
  },
  unblock: {
    methods: ['DELETE'],
    path: '/identity/block/{id}',
    access: 'user',
    scope: 'chat',
    input: ByUser,
    answer: Blocked,
    summary: 'Take messages and mails from a person again',
  },
})
