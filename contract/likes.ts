/** The call for what a person liked. Liking itself is a call of the lesson or course. */
import { calls } from '#contract/endpoint.ts'
import type { LikesSchemas } from '#contract/likes.schemas.ts'

export const likes = calls<LikesSchemas>()({
  liked: { methods: ['GET'], path: '/liked', access: 'user', scope: 'read' },
})
