/** What readers report to the moderators. */
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { text } from '#contract/fields.ts'
import { FLAG_TEXT } from '#contract/limits.ts'

export const FlagKind = z.enum(['lesson', 'course', 'comment', 'message', 'profile'], {
  error: 'invalidChoice',
})
export type FlagKind = z.infer<typeof FlagKind>

export const flags = {
  create: endpoint({
    methods: ['POST'],
    path: '/flag',
    access: 'user',
    status: 202,
    input: z.object({
      kind: FlagKind,
      /** A number, of a profile the user's id. */
      id: z
        .pipe(z.union([z.string(), z.number()], { error: 'invalidId' }), z.transform(String))
        .check(z.regex(/^(?:\d{1,16}|[0-9a-f-]{36})$/i, { error: 'invalidId' })),
      text: text(FLAG_TEXT, 'flagTextMs'),
    }),
    answer: z.object({ id: z.number() }),
    summary: 'Report an item, comment, message or person to the moderators',
  }),
}
