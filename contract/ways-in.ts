import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Door, InvitationState, InvitationToken } from '#contract/door.ts'

export const WaysIn = z.object({
  /** False if people can't register or sign in with passwords. */
  password: z.boolean(),
  /** False if the site's origin can't use passkeys: browsers require https and a domain name. */
  passkeys: z.boolean(),
  /** OpenID Connect providers. */
  providers: z.array(z.object({ id: z.number(), name: z.string() })),
  /** The rule for new registrations. */
  door: Door,
  /** Addresses of these domains may register if `door` is `domain`. */
  domains: z.array(z.string()),
  /** Everybody may invite, not only administrators. */
  mayInvite: z.boolean(),
  /** The state of the given invitation; null without one. */
  invitation: z.nullable(InvitationState),
})
export type WaysIn = z.infer<typeof WaysIn>

export const waysIn = endpoints({
  show: {
    methods: ['GET'],
    path: '/identity/ways-in',
    access: 'anybody',
    scope: 'read',
    input: z.object({ invitation: z.optional(InvitationToken) }),
    answer: WaysIn,
    summary: 'The ways to sign in to this site, and who may register',
  },
})
