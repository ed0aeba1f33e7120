import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Nothing } from '#contract/fields.ts'

export const WaysIn = z.object({
  /** False if people can't register or sign in with passwords. */
  password: z.boolean(),
  /** False if the site's origin can't use passkeys: browsers require https and a domain name. */
  passkeys: z.boolean(),
  /** OpenID Connect providers. */
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
