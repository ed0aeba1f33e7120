/** The calls for suggestions while typing, and for the search by words. */
import { calls } from '#contract/endpoint.ts'
import type { SearchSchemas } from '#contract/search.schemas.ts'

export const search = calls<SearchSchemas>()({
  suggest: { methods: ['GET'], path: '/search/suggest', access: 'anybody', scope: 'read' },
  tagged: { methods: ['GET'], path: '/tag/{tag}', access: 'anybody', scope: 'read' },
  find: { methods: ['GET'], path: '/search', access: 'anybody', scope: 'read' },
})
