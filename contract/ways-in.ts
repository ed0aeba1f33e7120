/** How people sign in here. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Nothing } from '#contract/fields.ts'

export const WaysIn = z.object({
  /** People have passwords here, and register with them. */
  password: z.boolean(),
  /** The site's address admits passkeys: browsers want https and a name. */
  passkeys: z.boolean(),
  /** Other sites by which people sign in (OpenID Connect). */
  providers: z.array(z.object({ id: z.number(), name: z.string() })),
})
export type WaysIn = z.infer<typeof WaysIn>

export const waysIn = endpoints({
  show: {
    methods: ['GET'],
    path: '/identity/ways-in',
    access: 'anybody',
    scope: 'read',
    input: Nothing,
    answer: WaysIn,
    summary: 'The ways to sign in to this site',
  },
})
