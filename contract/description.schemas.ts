/** The API's description of itself. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { description as calls } from '#contract/description.ts'
import { Nothing } from '#contract/fields.schemas.ts'

const schemas = {
  openapi: {
    input: Nothing,
    answer: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
    summary: 'This document (OpenAPI 3.1)',
  },
}
export type DescriptionSchemas = typeof schemas

/** The calls with what judges them, as the server needs them. */
export const description = endpoints(calls, schemas)
