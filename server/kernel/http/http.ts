/** Adapts HTTP to `call`: one Fastify route for each method of each endpoint, below /api. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { TOKEN_PREFIX } from '#contract/access-tokens.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { JSON_BODY_BYTES } from '#contract/limits.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { refuseStrangers, type CallContext, type Route, type Viewer } from '#server/kernel/call.ts'
import { notFound, Refusal } from '#server/kernel/errors.ts'
import { sealText } from '#server/kernel/http/conditional.ts'
import type { Forms } from '#server/kernel/http/forms.ts'
import { toFormErrors, toProblem, toRefusal } from '#server/kernel/http/http-errors.ts'
import { noteRequest } from '#server/kernel/http/request-log.ts'
import type { Loads } from '#server/kernel/limits/loads.ts'
import { networkOf } from '#server/kernel/network.ts'
import { chooseLocale } from '#server/kernel/text/messages.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Errors of this route are arrays. */
    form?: boolean
  }
}

export interface HttpNeeds {
  /** Returns null for a token that is expired or forged, or whose session has ended. */
  viewerOfBearer(token: string): Promise<Viewer | null>
  readonly forms: Forms
  readonly loads: Pick<Loads, 'search' | 'calls'>
}

const JSON_TYPE = 'application/json; charset=utf-8'
const BEARER = /^Bearer +([\w.~+/=-]+)$/i

/** Returns path and query. A proxy may send an absolute URL, whose origin we ignore. */
export function targetOf(url: string | undefined): string {
  const target = (url ?? '').replace(/^https?:\/\/[^/?#]*/i, '')
  return target.startsWith('/') ? target : `/${target}`
}

export function bearerOf(request: FastifyRequest): string | null {
  return BEARER.exec(request.headers.authorization ?? '')?.[1] ?? null
}

/** If a name repeats, its first cookie counts. */
export function readCookies(header: string | undefined): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null)
  for (const pair of (header ?? '').split(';', 50)) {
    const equals = pair.indexOf('=')
    if (equals > 0) cookies[pair.slice(0, equals).trim()] ??= pair.slice(equals + 1).trim()
  }
  return cookies
}

/**
 * Returns the chosen language. Over https the cookie has the `__Host-` prefix, so no other host of the domain can
 * set it; the one without a prefix is older or comes over http.
 */
export function languageIn(cookies: Readonly<Record<string, string>>): string | undefined {
  return cookies['__Host-lang'] ?? cookies['lang']
}

/** Returns true for a browser's speculative loads, which count no view. */
export function isPrefetch(headers: FastifyRequest['headers']): boolean {
  const purpose = headers['sec-purpose'] ?? headers['purpose']
  return (
    (purpose !== undefined && /prefetch|prerender/.test(String(purpose))) ||
    headers['x-prefetch'] !== undefined
  )
}

export function contextOf(
  request: FastifyRequest,
  reply: FastifyReply,
  viewer: Viewer | null,
): CallContext {
  const cookies = readCookies(request.headers.cookie)
  const gone = new AbortController()
  // Listens on the response, because a request closes as soon as its body has been read.
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return {
    viewer,
    locale: chooseLocale(undefined, languageIn(cookies), request.headers['accept-language']),
    address: request.ip,
    agent: (request.headers['user-agent'] ?? '').slice(0, 300),
    method: request.method,
    origin: request.headers.origin,
    host: request.host,
    cookies,
    countsView: request.method !== 'HEAD' && !isPrefetch(request.headers),
    signal: gone.signal,
    setHeader: (name, value) => void reply.header(name, value),
  }
}

/** Registers the endpoints, and the error and not-found answers of everything below /api. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  needs: HttpNeeds,
): void {
  for (const entry of routes) {
    const { endpoint } = entry
    const writeAs = createAnswerWriter(endpoint)
    app.route({
      method: [...endpoint.methods],
      url: `/api${endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      // HEAD must not reach a GET that changes something.
      exposeHeadRoute: endpoint.methods[0] === 'GET',
      bodyLimit: endpoint.bodyBytes ?? JSON_BODY_BYTES,
      config: { form: endpoint.form },
      handler: async (request, reply) => {
        const viewer = await viewerOf(request, reply, endpoint, needs)
        // Checks access before reading megabytes for nothing.
        refuseStrangers(endpoint, viewer)
        const run = (fields: unknown) => {
          const input = inputOf(endpoint, request, fields)
          const answer = () => entry.run(contextOf(request, reply, viewer), input)
          if (isSearch(endpoint, input))
            return needs.loads.search.run(askerOf(request, viewer), answer)
          return viewer === null ? answer() : needs.loads.calls.run(viewer.id, answer)
        }
        const answer = endpoint.form
          ? await needs.forms.use(request, endpoint, run)
          : await run(isInAddress(endpoint, request) ? request.query : request.body)
        if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
        reply.code(endpoint.status)
        if (endpoint.answer === null) return null
        // With a custom serializer, Fastify sets no content type.
        reply.type(JSON_TYPE)
        if (endpoint.validated) {
          reply.serializer(String)
          // Answers with a serializer are always objects.
          const text = writeAs(reply)(answer as Record<string, unknown>)
          return sealText(request, reply, undefined, text)
        }
        reply.serializer(writeAs(reply))
        return answer
      },
    })
  }
}

type Write = ReturnType<FastifyReply['compileSerializationSchema']>

/**
 * Creates the serializer of an endpoint at its first answer: creating all of them took a third of a node's start.
 * `io: 'input'` makes it cut what the contract doesn't name, in unions too.
 */
function createAnswerWriter({ answer, path }: Endpoint): (reply: FastifyReply) => Write {
  let write: Write | undefined
  return (reply) => {
    if (answer === null) throw new Error(`${path} has no answer`)
    if (write === undefined) {
      const { $schema: _, ...schema } = z.toJSONSchema(answer, { io: 'input' })
      write = reply.compileSerializationSchema(schema)
    }
    return write
  }
}

async function viewerOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { access }: Endpoint,
  needs: HttpNeeds,
): Promise<Viewer | null> {
  const token = bearerOf(request)
  if (token === null) return null
  const viewer = await needs.viewerOfBearer(token)
  if (viewer === null) {
    reply.header('x-session', 'expired')
    if (token.startsWith(TOKEN_PREFIX) && access !== 'anybody') throw new Refusal(401, 'tokenEnded')
  } else noteRequest(request, { person: viewer.id })
  return viewer
}

/** Returns true for a search with text, by the contract's names for it. */
function isSearch({ methods }: Endpoint, { search, q }: Record<string, unknown>): boolean {
  const isTyped = (value: unknown) => typeof value === 'string' && value.trim() !== ''
  return methods[0] === 'GET' && (isTyped(search) || isTyped(q))
}

/** Returns whose turn it is: a person's, wherever they are, or that of a network's guests. */
export function askerOf({ ip }: Pick<FastifyRequest, 'ip'>, viewer: Viewer | null): string {
  return viewer?.id ?? networkOf(ip)
}

function isInAddress(endpoint: Endpoint, request: FastifyRequest): boolean {
  return !endpoint.form && ['GET', 'HEAD', 'DELETE'].includes(request.method)
}

function inputOf(
  endpoint: Endpoint,
  request: FastifyRequest,
  fields: unknown,
): Record<string, unknown> {
  const inAddress = isInAddress(endpoint, request)
  const input: Record<string, unknown> = Object.create(null)
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
    for (const [name, value] of Object.entries(fields)) {
      input[name] = inAddress ? valueInAddress(value, endpoint.lists.includes(name)) : value
    }
  }
  return Object.assign(input, request.params)
}

/** Reads a parameter that came once as a list if the call takes one, and the first of several otherwise. */
function valueInAddress(value: unknown, isList: boolean): unknown {
  if (isList) return Array.isArray(value) ? value : [value]
  return Array.isArray(value) ? value[0] : value
}

/** The log names these refusals of access tokens. */
const OF_TOKENS: readonly MessageKey[] = ['tokenEnded', 'tokenNotForAccount', 'tokenScopeMissing']

/** Writes an error in the shape of its route. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toRefusal(error)
  if (refusal === null) request.log.error({ err: error }, 'fault')
  else if (refusal.status === 507) request.log.error({ err: error }, 'a disk is full')
  else if (refusal !== error && refusal.status === 503)
    request.log.warn({ reason: String(error) }, 'unavailable')
  const locale = chooseLocale(
    undefined,
    languageIn(readCookies(request.headers.cookie)),
    request.headers['accept-language'],
  )
  const status = refusal?.status ?? 500
  noteRequest(request, { refused: refusal?.key ?? 'fault' })
  if (refusal?.retryAfter !== undefined) reply.header('retry-after', refusal.retryAfter)
  if (refusal !== null && OF_TOKENS.includes(refusal.key))
    request.log.info({ reason: refusal.message, ...refusal.values }, 'an access token was refused')
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  reply.code(status).header('cache-control', 'no-store')
  if (request.routeOptions.config.form === true) {
    reply.type(JSON_TYPE).serializer(JSON.stringify).send(toFormErrors(refusal, locale))
  } else {
    reply
      .type('application/problem+json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(toProblem(refusal, locale))
  }
}

export function answerUnknownCall(request: FastifyRequest, reply: FastifyReply): void {
  answerError(notFound(), request, reply)
}
