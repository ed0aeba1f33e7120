/** Numbers and suggestions of the front page and the search box. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { home as calls } from '#contract/home.ts'
import { Nothing } from '#contract/fields.schemas.ts'

export const HomeNumbers = z.object({
  lessons: z.number(),
  courses: z.number(),
  authors: z.number(),
})
export type HomeNumbers = z.infer<typeof HomeNumbers>

const schemas = {
  numbers: {
    input: Nothing,
    answer: HomeNumbers,
    summary: 'How many lessons, courses and authors there are',
  },
}
export type HomeSchemas = typeof schemas

/** The calls with what judges them, as the server needs them. */
export const home = endpoints(calls, schemas)
