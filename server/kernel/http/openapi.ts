/** The API description (OpenAPI 3.1), made from the contract. */
import * as z from 'zod/mini'
import { description } from '#contract/description.schemas.ts'
import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import { FormError, Problem } from '#contract/errors.ts'
import { route, type Route } from '#server/kernel/call.ts'

type Json = Record<string, unknown>

const REFUSALS: Readonly<Record<string, string>> = {
  '400': 'Invalid',
  '401': 'No token, or a bad one',
  '403': 'Not yours',
  '404': 'Unknown',
  '409': 'Conflict',
  '413': 'Too large',
  '415': 'Wrong kind of content',
  '429': 'Too many; see Retry-After',
  '500': 'A fault of ours',
  '503': 'The database is away or all are busy; see Retry-After',
}

/** The JSON schema of what a caller sends or receives; files are binary text. */
function schemaOf(schema: z.ZodMiniType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'file')
        Object.assign(jsonSchema, { type: 'string', format: 'binary' })
    },
  })
  return rest
}

/** Who may call, and the scope that an access token needs for it. */
function securityOf({ access, scope }: Endpoint): Json[] {
  if (access === 'cookie') return [{ cookie: [] }]
  const token = scope === null ? [] : [{ token: [scope] }]
  return [...(access === 'anybody' ? [{}] : []), { bearer: [] }, ...token]
}

function operation(endpoint: Endpoint, method: string): Json {
  const input = schemaOf(endpoint.input)
  const properties = (input['properties'] ?? {}) as Record<string, Json>
  const required = new Set((input['required'] ?? []) as string[])
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  const beside = Object.keys(properties).filter((name) => !inPath.includes(name))
  const inQuery = method === 'GET' || method === 'DELETE'
  const parameter = (name: string, place: string): Json => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: properties[name],
  })
  const body = {
    type: 'object',
    properties: Object.fromEntries(beside.map((name) => [name, properties[name]])),
    required: beside.filter((name) => required.has(name)),
  }
  const errors = endpoint.form
    ? { 'application/json': { schema: { $ref: '#/components/schemas/FormErrors' } } }
    : { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
  return {
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[1]],
    security: securityOf(endpoint),
    parameters: [
      ...inPath.map((name) => parameter(name, 'path')),
      ...(inQuery ? beside.map((name) => parameter(name, 'query')) : []),
    ],
    ...(!inQuery &&
      beside.length > 0 && {
        requestBody: {
          required: true,
          content: {
            [endpoint.form ? 'multipart/form-data' : 'application/json']: { schema: body },
          },
        },
      }),
    responses: {
      [endpoint.status]: {
        description: 'Done',
        ...(endpoint.answer !== null && {
          content: { 'application/json': { schema: schemaOf(endpoint.answer) } },
        }),
      },
      ...Object.fromEntries(
        Object.entries(REFUSALS).map(([status, description]) => [
          status,
          { description, content: errors },
        ]),
      ),
    },
  }
}

/** The route that describes all of these, `others` that have none of ours, and itself. */
export function describeRoutes(
  routes: readonly Route[],
  others: readonly Endpoint[],
  server: string,
  title: string,
): Route {
  const { openapi } = description
  const described = [...routes.map(({ endpoint }) => endpoint), ...others, openapi]
  // Made for who asks first: it takes a while, and a node that starts is waited for.
  let document: AnswerOf<typeof openapi> | undefined
  return route(
    openapi,
    async () => (document ??= describeApi(described, server, title) as AnswerOf<typeof openapi>),
  )
}

/** The whole document; `server` is the origin it is served from, `title` what the site is called. */
function describeApi(endpoints: readonly Endpoint[], server: string, title: string): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const item = (paths[endpoint.path] ??= {})
    for (const method of endpoint.methods) item[method.toLowerCase()] = operation(endpoint, method)
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1',
      description:
        'JSON calls refuse with problem+json, form-body calls with an array of {code, description, field?}.',
    },
    servers: [{ url: `${server}/api` }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'kbp_…',
          description:
            'A personal access token, made by POST /identity/tokens. A call lists the scope that it needs: read, write, chat or admin; calls of the account itself take none.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: server.startsWith('https:') ? '__Host-kb' : 'kb',
        },
      },
      schemas: {
        Problem: schemaOf(Problem),
        FormErrors: { type: 'array', items: schemaOf(FormError) },
      },
    },
  }
}
