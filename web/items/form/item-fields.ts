/** What the forms of both kinds judge alike. */
import * as z from 'zod/mini'
import { text } from '#contract/fields.ts'
import { REASON } from '#contract/limits.ts'

/** The picture of a new item: there must be one. */
export const NewPicture = z
  .optional(z.file())
  .check(z.refine((file) => file !== undefined, { error: 'pictureRequired' }))

/** Why an administrator changes what somebody else has made. */
export const Reason = text(REASON, 'reasonValMs')
