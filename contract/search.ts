/** Suggestions while typing. */
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Search } from '#contract/items.ts'
import { ItemKind } from '#contract/points.ts'

export const Suggestion = z.object({ id: z.number(), title: z.string() })
export type Suggestion = z.infer<typeof Suggestion>

export const search = {
  suggest: endpoint({
    methods: ['GET'],
    path: '/search/suggest',
    access: 'anybody',
    input: z.object({ kind: z._default(ItemKind, 'lesson'), q: Search }),
    answer: z.array(Suggestion),
    summary: 'Up to 8 titles that contain what is typed; nothing for nothing',
  }),
}
