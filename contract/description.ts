import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Nothing } from '#contract/fields.ts'

export const description = endpoints({
  openapi: {
    methods: ['GET'],
    path: '/openapi.json',
    access: 'anybody',
    scope: 'read',
    validated: true,
    input: Nothing,
    answer: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
    summary: 'This document (OpenAPI 3.1)',
  },
})
