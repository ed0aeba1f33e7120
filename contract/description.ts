/** The call for the API's description of itself. */
import { calls } from '#contract/endpoint.ts'
import type { DescriptionSchemas } from '#contract/description.schemas.ts'

export const description = calls<DescriptionSchemas>()({
  openapi: {
    methods: ['GET'],
    path: '/openapi.json',
    access: 'anybody',
    scope: 'read',
    validated: true,
  },
})
