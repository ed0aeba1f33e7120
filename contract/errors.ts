/** The two shapes of an error. The shape depends on the call, not on the content type. */
import * as z from 'zod/mini'

/** RFC 9457 problem+json, for JSON calls. `title` is the readable, translated sentence. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.optional(z.string()),
  /** Translated sentences by field. */
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
})
export type Problem = z.infer<typeof Problem>

/** Form calls return an array of these. People see the first. */
export const FormError = z.object({
  code: z.string(),
  description: z.string(),
  field: z.optional(z.string()),
})
export type FormError = z.infer<typeof FormError>
