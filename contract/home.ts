/** The call for the numbers of the front page. */
import { calls } from '#contract/endpoint.ts'
import type { HomeSchemas } from '#contract/home.schemas.ts'

export const home = calls<HomeSchemas>()({
  numbers: { methods: ['GET'], path: '/home', access: 'anybody', scope: 'read' },
})
