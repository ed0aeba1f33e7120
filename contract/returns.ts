/** Returning what was bought. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { ById } from '#contract/items.ts'

const call = {
  methods: ['POST'],
  access: 'user',
  scope: 'write',
  input: ById,
  answer: z.object({ kbPoints: z.number() }),
} as const

export const returns = endpoints({
  lesson: {
    ...call,
    path: '/lesson/return/{id}',
    summary:
      'Return a lesson within a day of buying it, before using it; 409 says why it is not possible',
  },
  course: {
    ...call,
    path: '/course/return/{id}',
    summary:
      'Return a course within a day of buying it, while at most one of its lessons was opened; 409 says why it is not possible',
  },
})
