import * as z from 'zod/mini'
import { text } from '#contract/fields.ts'
import { REASON } from '#contract/limits.ts'

/** A new item must have a picture. */
export const NewPicture = z
  .optional(z.file())
  .check(z.refine((file) => file !== undefined, { error: 'pictureRequired' }))

/** Replaces fields of drafts that another version of the product has saved in another shape. */
export const withFallback = z.catch

export const DraftText = withFallback(z.string(), '')

/** The reason why an administrator edits somebody else's item. */
export const Reason = text(REASON, 'reasonValMs')
