/** The call for suggestions while typing. */
import { calls } from '#contract/endpoint.ts'
import type { SearchSchemas } from '#contract/search.schemas.ts'

export const search = calls<SearchSchemas>()({
  suggest: { methods: ['GET'], path: '/search/suggest', access: 'anybody', scope: 'read' },
})
