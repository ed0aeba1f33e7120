/** The call for the front page. */
import { calls } from '#contract/endpoint.ts'
import type { HomeSchemas } from '#contract/home.schemas.ts'

export const home = calls<HomeSchemas>()({
  numbers: { methods: ['GET'], path: '/home', access: 'anybody', scope: 'read' },
  tags: { methods: ['GET'], path: '/home/tags', access: 'anybody', scope: 'read' },
  stall: { methods: ['GET'], path: '/home/stall', access: 'user', scope: 'read' },
})
