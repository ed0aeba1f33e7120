/** The parts of a lesson, which locked pages show. */
import * as z from 'zod/mini'
import { CaptionLanguage } from '#contract/items.ts'

export const LessonInside = z.object({
  articleMinutes: z.number(),
  /** Words of the article. */
  words: z.number(),
  headings: z.number(),
  resource: z.boolean(),
  /** The extension of the resource's file name, such as `PDF`, or null. */
  resourceKind: z.nullable(z.string()),
  /** Null for an external link. */
  resourceBytes: z.nullable(z.number()),
  /** Questions in the self-check. */
  questions: z.number(),
  /** The languages of its captions. */
  captions: z.array(CaptionLanguage),
})
