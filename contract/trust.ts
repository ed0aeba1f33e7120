import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { ById } from '#contract/items.ts'

export const trust = endpoints({
  unlock: {
    methods: ['POST'],
    path: '/lesson/trust/{id}',
    access: 'user',
    // People are trusted, not their programs.
    scope: null,
    input: ById,
    answer: z.object({ kbPoints: z.number() }),
    summary: 'Unlock a first lesson below zero, if the site allows it',
  },
})
