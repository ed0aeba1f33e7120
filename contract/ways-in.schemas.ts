/** How people sign in here. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Nothing } from '#contract/fields.schemas.ts'
import { waysIn as calls } from '#contract/ways-in.ts'

export const WaysIn = z.object({
  /** People have passwords here, and register with them. */
  password: z.boolean(),
  /** The site's address admits passkeys: browsers want https and a name. */
  passkeys: z.boolean(),
  /** Other sites by which people sign in (OpenID Connect). */
  providers: z.array(z.object({ id: z.number(), name: z.string() })),
})
export type WaysIn = z.infer<typeof WaysIn>

const schemas = {
  show: { input: Nothing, answer: WaysIn, summary: 'The ways to sign in to this site' },
}
export type WaysInSchemas = typeof schemas

/** The calls with what judges them, as the server needs them. */
export const waysIn = endpoints(calls, schemas)
