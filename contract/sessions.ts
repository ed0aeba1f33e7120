import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Instant, Nothing, SessionId } from '#contract/fields.ts'

export const SignIn = z.object({
  id: z.string(),
  /** Such as Firefox and Windows. Null if unknown. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  /** Time of the sign-in. */
  date: Instant,
  /** Last renewal of the access token. A device in use renews it four times an hour. */
  seen: Instant,
  /** True for the session of this call. */
  here: z.boolean(),
})
export type SignIn = z.infer<typeof SignIn>

export const sessions = endpoints({
  list: {
    methods: ['GET'],
    path: '/identity/sessions',
    access: 'user',
    scope: null,
    input: Nothing,
    answer: z.array(SignIn),
    summary: 'Where the caller is signed in: this session first, then those seen last, 100 at most',
  },
  end: {
    methods: ['DELETE'],
    path: '/identity/sessions/{id}',
    access: 'user',
    scope: null,
    openToSuspended: true,
    input: z.object({ id: SessionId }),
    answer: null,
    summary: 'Sign one device out: its session opens nothing any more, and its hub connections end',
  },
})
