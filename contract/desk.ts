/** The first page of the desk. */
import * as z from 'zod/mini'
import { EconomyDay } from '#contract/economy.ts'
import { endpoints } from '#contract/endpoint.ts'
import { Nothing } from '#contract/fields.ts'

export const PartState = z.object({
  /** A code that operators know, such as `database`. */
  name: z.string(),
  /** Without it, nothing works. */
  needed: z.boolean(),
  /** Why it is unavailable, in English. Null if it works. */
  says: z.nullable(z.string()),
})
export type PartState = z.infer<typeof PartState>

export const Numbers = z.object({
  /** Up to 90 days that were counted, newest last. */
  days: z.array(EconomyDay),
  parts: z.array(PartState),
  /** Bytes of the disk with the data. Null if it can't be read. */
  disk: z.nullable(z.object({ size: z.number(), free: z.number() })),
  /** Bytes of the database. */
  database: z.number(),
})
export type Numbers = z.infer<typeof Numbers>

export const numbers = endpoints({
  show: {
    methods: ['GET'],
    path: '/admin/numbers',
    access: 'administrator',
    scope: 'admin',
    input: Nothing,
    answer: Numbers,
    summary: 'What happened each day, which parts work, and how much room is left',
  },
})
