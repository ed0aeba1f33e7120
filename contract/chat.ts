/** The calls of chat; what judges them stands in chat.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { ChatSchemas } from '#contract/chat.schemas.ts'

export const chat = calls<ChatSchemas>()({
  history: { methods: ['GET'], path: '/message/all/{receiver}', access: 'user', scope: 'chat' },
  create: { methods: ['POST'], path: '/message/create', access: 'user', scope: 'chat' },
  contacts: { methods: ['GET'], path: '/message/contacts', access: 'user', scope: 'chat' },
  contactIds: { methods: ['GET'], path: '/identity/allContacts', access: 'user', scope: 'chat' },
  unread: { methods: ['GET'], path: '/message/unread', access: 'user', scope: 'chat' },
  read: { methods: ['POST'], path: '/message/read/{username}', access: 'user', scope: 'chat' },
  isBlocked: { methods: ['GET'], path: '/identity/block/{id}', access: 'user', scope: 'chat' },
  block: { methods: ['POST'], path: '/identity/block/{id}', access: 'user', scope: 'chat' },
  unblock: { methods: ['DELETE'], path: '/identity/block/{id}', access: 'user', scope: 'chat' },
})
