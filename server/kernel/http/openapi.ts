import { description } from '#contract/description.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { route, type Route } from '#server/kernel/call.ts'
import { convertSchemas, type Json, type Schemas } from '#server/kernel/http/openapi-schemas.ts'
import { describeWebhooks } from '#server/kernel/http/openapi-webhooks.ts'

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

function securityOf({ access, scope }: Endpoint): Json[] {
  if (access === 'cookie') return [{ cookie: [] }]
  const token = scope === null ? [] : [{ token: [scope] }]
  return [...(access === 'anybody' ? [{}] : []), { bearer: [] }, ...token]
}

/** Builds a unique id from the path and the name of the call, and the method where one call has several. */
function operationIdOf({ methods, name, path }: Endpoint, method: string): string {
  const words = path.split(/[/.-]/).filter((word) => /^\w+$/.test(word))
  if (words.at(-1) !== name) words.push(name)
  if (method !== methods[0]) words.push('by', method.toLowerCase())
  return words
    .map((word, place) => (place === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
}

const WHO: Readonly<Record<Endpoint['access'], string>> = {
  anybody: 'Anybody may call it.',
  user: 'For signed-in people.',
  administrator: 'For administrators.',
  cookie: 'For our own pages: the refresh cookie alone counts.',
}

function descriptionOf({ access, scope, form, confirmed, openToSuspended }: Endpoint): string {
  const sentences = [
    WHO[access],
    access !== 'cookie' &&
      (scope === null
        ? 'Access tokens are refused.'
        : `An access token needs the scope \`${scope}\`.`),
    !openToSuspended && 'Suspended people are refused.',
    confirmed &&
      'Whoever has a second factor must have confirmed within the last 15 minutes that it is them.',
    form && 'Takes a form body; errors are an array.',
  ]
  return sentences.filter((sentence) => sentence !== false).join(' ')
}

function operation(endpoint: Endpoint, method: string, schemas: Schemas): Json {
  const input = schemas.inputOf(endpoint)
  const properties = (input['properties'] ?? {}) as Record<string, Json>
  const required = new Set((input['required'] ?? []) as string[])
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  const outsidePath = Object.keys(properties).filter((name) => !inPath.includes(name))
  const inQuery = method === 'GET' || method === 'DELETE'
  const parameter = (name: string, place: string): Json => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: properties[name],
  })
  const body = {
    type: 'object',
    properties: Object.fromEntries(outsidePath.map((name) => [name, properties[name]])),
    required: outsidePath.filter((name) => required.has(name)),
  }
  const refusals = endpoint.form ? 'FormRefusal' : 'Refusal'
  return {
    operationId: operationIdOf(endpoint, method),
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    tags: [endpoint.path.split('/')[1]],
    security: securityOf(endpoint),
    parameters: [
      ...inPath.map((name) => parameter(name, 'path')),
      ...(inQuery ? outsidePath.map((name) => parameter(name, 'query')) : []),
    ],
    ...(!inQuery &&
      outsidePath.length > 0 && {
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
          content: { 'application/json': { schema: schemas.answerOf(endpoint) } },
        }),
      },
      ...Object.fromEntries(
        Object.keys(REFUSALS).map((status) => [
          status,
          { $ref: `#/components/responses/${refusals}${status}` },
        ]),
      ),
    },
  }
}

/** Describes `routes`, itself, and `others`, which have no route here. */
export function describeRoutes(
  routes: readonly Route[],
  others: readonly Endpoint[],
  server: string,
  title: () => string,
): Route {
  const { openapi } = description
  const described = [...routes.map(({ endpoint }) => endpoint), ...others, openapi]
  // The document is made at the first request, because it takes a while and would delay the start.
  let document: Json | undefined
  return route(openapi, async () => {
    document ??= describeApi(described, server)
    const info = { title: title(), ...(document['info'] as Json) }
    const { paths = {} } = document
    return { ...document, openapi: '3.1.0', info, paths: paths as Json }
  })
}

function describeRefusals(): Json {
  const problem = {
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  }
  const errors = {
    'application/json': {
      schema: { type: 'array', items: { $ref: '#/components/schemas/FormError' } },
    },
  }
  return Object.fromEntries(
    Object.entries(REFUSALS).flatMap(([status, words]) => [
      [`Refusal${status}`, { description: words, content: problem }],
      [`FormRefusal${status}`, { description: words, content: errors }],
    ]),
  )
}

/** `server` is the origin. The title is the name of the site, which may change. */
function describeApi(endpoints: readonly Endpoint[], server: string): Json {
  const described = endpoints.filter(({ former }) => !former)
  const schemas = convertSchemas(described)
  const paths: Record<string, Json> = {}
  for (const endpoint of described) {
    const item = (paths[endpoint.path] ??= {})
    for (const method of endpoint.methods)
      item[method.toLowerCase()] = operation(endpoint, method, schemas)
  }
  const responses = describeRefusals()
  const nouns = new Set(described.map(({ path }) => path.split('/')[1] ?? ''))
  return {
    openapi: '3.1.0',
    info: {
      version: '1',
      description:
        'JSON calls refuse with problem+json, form-body calls with an array of {code, description, field?}.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${server}/api` }],
    tags: [
      ...[...nouns].map((name) => ({ name, description: `Calls below /${name}` })),
      { name: 'webhooks', description: 'What is sent to the addresses of other programs' },
    ],
    paths,
    webhooks: describeWebhooks(),
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
      responses,
      schemas: schemas.components({ paths, responses }),
    },
  }
}
