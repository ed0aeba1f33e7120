/** The two shapes of an error on the wire. The shape follows the call, not the content type. */
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

/** For form-body calls: an array of these, the first is what a person sees. */
export const FormError = z.object({
  code: z.string(),
  description: z.string(),
  field: z.optional(z.string()),
})
export type FormError = z.infer<typeof FormError>
