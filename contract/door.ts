/** The rule for new registrations. */
import * as z from 'zod/mini'

export const DOORS = ['open', 'invitation', 'domain', 'closed'] as const
export const Door = z.enum(DOORS)
export type Door = z.infer<typeof Door>

/** The end of a link. */
export const InvitationToken = z.string().check(z.maxLength(100, { error: 'invalidInput' }))

export const InvitationState = z.enum(['valid', 'used', 'expired', 'withdrawn', 'unknown'])
export type InvitationState = z.infer<typeof InvitationState>
