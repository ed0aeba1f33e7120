/** What the profile's form holds, and its rules: those of the call, and what depends on what is kept. */
import * as z from 'zod/mini'
import { Email, EditedUsername } from '#contract/accounts.schemas.ts'
import { Picture } from '#contract/fields.schemas.ts'
import { fits, normalizeText } from '#contract/measure.ts'
import { USERNAME_EDIT } from '#contract/limits.ts'
import { message } from '#contract/message.ts'

interface Kept {
  readonly username: string
  readonly email: string
}

const isSame = (one: string, other: string) =>
  normalizeText(one).toLowerCase() === normalizeText(other).toLowerCase()

/** Whether an address is another than the kept one; only its case is none. */
export const isNewAddress = (email: string, kept: Kept): boolean => !isSame(email, kept.email)

export function profileSchema(kept: Kept) {
  const username = EditedUsername.check(
    z.refine((name) => isSame(name, kept.username) || fits(name, USERNAME_EDIT), {
      error: message('usernameLengthMs', { min: USERNAME_EDIT.min, max: USERNAME_EDIT.max }),
    }),
  )
  return z
    .object({
      username,
      email: Email,
      hideEmail: z.boolean(),
      notices: z.boolean(),
      image: z.optional(Picture),
      password: z.string(),
    })
    .check(
      z.refine((form) => form.password !== '' || !isNewAddress(form.email, kept), {
        path: ['password'],
        error: 'enterPassword',
        when: () => true,
      }),
    )
}
