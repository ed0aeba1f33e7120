/** What the profile's form holds, and its rules: those of the call, and what depends on the saved values. */
import * as z from 'zod/mini'
import { editedUsernameLength, EditedUsername, Email } from '#contract/accounts.ts'
import { Picture } from '#contract/fields.ts'
import { fits, trimText } from '#contract/measure.ts'
import { USERNAME_EDIT } from '#contract/limits.ts'

interface Saved {
  readonly username: string
  readonly email: string
}

const isSame = (one: string, other: string) =>
  trimText(one).toLowerCase() === trimText(other).toLowerCase()

/** Whether an address differs from the saved one by more than upper and lower case. */
export const isNewAddress = (email: string, saved: Saved): boolean => !isSame(email, saved.email)

/**
 * The form's rules. A saved name may stay even where it breaks a rule that came later, and a new address needs the
 * password.
 * @param saved name and address as the server has them
 */
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
