/** Numbers and suggestions of the front page and the search box. */
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Nothing } from '#contract/fields.ts'

export const HomeNumbers = z.object({
  lessons: z.number(),
  courses: z.number(),
  authors: z.number(),
})
export type HomeNumbers = z.infer<typeof HomeNumbers>

export const home = {
  numbers: endpoint({
    methods: ['GET'],
    path: '/home',
    access: 'anybody',
    input: Nothing,
    answer: HomeNumbers,
    summary: 'How many lessons, courses and authors there are',
  }),
}
