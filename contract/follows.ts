/** The calls of following; what judges them stands in follows.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { FollowsSchemas } from '#contract/follows.schemas.ts'

export const follows = calls<FollowsSchemas>()({
  all: { methods: ['GET'], path: '/follow/all', access: 'user', scope: 'read' },
  show: { methods: ['GET'], path: '/follow/{id}', access: 'user', scope: 'read' },
  follow: { methods: ['PUT'], path: '/follow/{id}', access: 'user', scope: 'write' },
  // Who may not write may still stop listening.
  unfollow: {
    methods: ['DELETE'],
    path: '/follow/{id}',
    access: 'user',
    scope: 'write',
    openToSuspended: true,
  },
})
