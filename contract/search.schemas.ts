/** Suggestions while typing. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { search as calls } from '#contract/search.ts'
import { Search } from '#contract/items.schemas.ts'
import { ItemKind } from '#contract/points.schemas.ts'

export const Suggestion = z.object({ id: z.number(), title: z.string() })
export type Suggestion = z.infer<typeof Suggestion>

const schemas = {
  suggest: {
    input: z.object({ kind: z._default(ItemKind, 'lesson'), q: Search }),
    answer: z.array(Suggestion),
    summary: 'Up to 8 titles that contain what is typed; nothing for nothing',
  },
}
export type SearchSchemas = typeof schemas

/** The calls with what judges them, as the server needs them. */
export const search = endpoints(calls, schemas)
