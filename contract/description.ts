/** The API's description of itself. */
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Nothing } from '#contract/fields.ts'

export const description = {
  openapi: endpoint({
    methods: ['GET'],
    path: '/openapi.json',
    access: 'anybody',
    input: Nothing,
    answer: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
    summary: 'This document (OpenAPI 3.1)',
  }),
}
