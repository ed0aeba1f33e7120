import * as z from 'zod/mini'
import { editedUsernameLength, EditedUsername, Email } from '#contract/accounts.ts'
import { Picture } from '#contract/fields.ts'
import { About } from '#contract/profiles.ts'
import { fits, trimText } from '#contract/measure.ts'
import { USERNAME_EDIT } from '#contract/limits.ts'

interface Saved {
  readonly username: string
  readonly email: string
}

const isSame = (one: string, other: string) =>
  trimText(one).toLowerCase() === trimText(other).toLowerCase()

/** Ignores case. */
export const isNewAddress = (email: string, saved: Saved): boolean => !isSame(email, saved.email)

/** Allows an existing name that breaks a newer rule, and requires the password for a new address. */
export function profileSchema(saved: Saved) {
  const username = EditedUsername.check(
    z.refine((name) => isSame(name, saved.username) || fits(name, USERNAME_EDIT), {
      error: editedUsernameLength,
    }),
  )
  return z
    .object({
      username,
      email: Email,
      hideEmail: z.boolean(),
      notices: z.boolean(),
      about: About,
      publicPage: z.boolean(),
      image: z.optional(Picture),
      password: z.string(),
    })
    .check(
      z.refine((form) => form.password !== '' || !isNewAddress(form.email, saved), {
        path: ['password'],
        error: 'enterPassword',
        when: () => true,
      }),
    )
}
