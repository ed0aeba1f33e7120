/** The calls of one's own sessions, which are the devices that one is signed in on; what judges them stands in sessions.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { SessionsSchemas } from '#contract/sessions.schemas.ts'

export const sessions = calls<SessionsSchemas>()({
  list: { methods: ['GET'], path: '/identity/sessions', access: 'user', scope: null },
  end: {
    methods: ['DELETE'],
    path: '/identity/sessions/{id}',
    access: 'user',
    scope: null,
    openToSuspended: true,
  },
})
