/** How people sign in here, as the login shows it; what judges it stands in ways-in.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { WaysInSchemas } from '#contract/ways-in.schemas.ts'

export const waysIn = calls<WaysInSchemas>()({
  show: { methods: ['GET'], path: '/identity/ways-in', access: 'anybody', scope: 'read' },
})
