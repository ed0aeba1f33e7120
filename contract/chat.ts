/** The calls of chat; what judges them stands in chat.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { ChatSchemas } from '#contract/chat.schemas.ts'

export const chat = calls<ChatSchemas>()({
  history: { methods: ['GET'], path: '/message/all/{receiver}', access: 'user' },
  create: { methods: ['POST'], path: '/message/create', access: 'user' },
  contacts: { methods: ['GET'], path: '/message/contacts', access: 'user' },
  contactIds: { methods: ['GET'], path: '/identity/allContacts', access: 'user' },
  unread: { methods: ['GET'], path: '/message/unread', access: 'user' },
  read: { methods: ['POST'], path: '/message/read/{username}', access: 'user' },
  isBlocked: { methods: ['GET'], path: '/identity/block/{id}', access: 'user' },
  block: { methods: ['POST'], path: '/identity/block/{id}', access: 'user' },
  unblock: { methods: ['DELETE'], path: '/identity/block/{id}', access: 'user' },
})
