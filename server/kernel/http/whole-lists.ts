/**
 * Sends whole lists as one array, written while they are read: one batch is in memory, and no database connection
 * is held while a reader is slow.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint, ParsedOf, Scope } from '#contract/endpoint.ts'
import { LONG_LISTS_AT_ONCE } from '#contract/limits.ts'
import { parseInput, type Viewer } from '#server/kernel/call.ts'
import { sealPieces, sealText } from '#server/kernel/http/conditional.ts'
import { askerOf, bearerOf } from '#server/kernel/http/http.ts'
import { noteRequest } from '#server/kernel/http/request-log.ts'
import type { Loads } from '#server/kernel/limits/loads.ts'
import { Queue } from '#server/kernel/limits/queue.ts'

interface ListReader<Query> {
  /** Returns true when the answer would be longer than EXACT_TOTAL items. */
  isLong(query: Query): Promise<boolean>
  /** Yields all results of a query in order; no batch is empty. */
  readBatches(query: Query, viewer: Viewer | null): AsyncIterable<readonly unknown[]>
}

/** A GET that returns the whole list when `page` is missing. */
export interface WholeList {
  readonly endpoint: Endpoint
  /** Returns null for a query with a page, which the route's own handler answers. @throws Refusal 400 */
  open(input: unknown): OpenList | null
}

interface OpenList {
  isLong(): Promise<boolean>
  readBatches(viewer: Viewer | null): AsyncIterable<readonly unknown[]>
}

export function wholeList<E extends Endpoint>(
  endpoint: E,
  reader: ListReader<ParsedOf<E>>,
): WholeList {
  return {
    endpoint,
    open: (input) => {
      // This is the output type of that schema.
      const query = parseInput(endpoint, input) as ParsedOf<E> & { page?: number | undefined }
      if (query.page !== undefined) return null
      return {
        isLong: () => reader.isLong(query),
        readBatches: (viewer) => reader.readBatches(query, viewer),
      }
    },
  }
}

/**
 * Continues after the last item of each batch. Concurrent writes may move items across that boundary, but nothing
 * else is missed or duplicated. `read` returns fewer than `size` items at the end.
 */
export async function* readInBatches<Item>(
  size: number,
  read: (after: Item | undefined) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  let after: Item | undefined
  do {
    const items = await read(after)
    after = items.length === size ? items.at(-1) : undefined
    if (items.length > 0) yield items
  } while (after !== undefined)
}

interface StreamNeeds {
  /** Returns the viewer of a call's bearer token, or null for a guest. */
  readonly viewerOf: (request: FastifyRequest, scope: Scope | null) => Promise<Viewer | null>
  readonly loads: Pick<Loads, 'search'>
}

/**
 * Makes these calls return the whole list when `page` is missing. Register it before the routes: it changes each
 * of them when the route is added. @throws Refusal 429, 503 to too many long answers at once
 */
export function registerWholeLists(
  app: FastifyInstance,
  lists: readonly WholeList[],
  { viewerOf, loads }: StreamNeeds,
): void {
  const byUrl = new Map(lists.map((list) => [`/api${list.endpoint.path}`, list]))
  const long = new Queue(LONG_LISTS_AT_ONCE)
  app.addHook('onRoute', (route) => {
    const list = byUrl.get(route.url)
    if (list === undefined) return
    route.preHandler = async (request, reply) => {
      const opened = list.open(firstValues(request.query))
      if (opened === null || request.method === 'HEAD') return
      const viewer = await viewerOf(request, list.endpoint.scope)
      if (viewer !== null) noteRequest(request, { person: viewer.id })
      else if (bearerOf(request) !== null) reply.header('x-session', 'expired')
      const asker = askerOf(request, viewer)
      const isLong = await loads.search.run(asker, () => opened.isLong())
      if (reply.raw.closed) return reply.hijack()
      if (isLong) reply.raw.once('close', long.take(asker))
      const body = await sealPieces(request, reply, viewer?.id, toJson(opened.readBatches(viewer)))
      if (body === null) return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(body)
    }
    // Handles what the route's own handler returns, which is a page.
    route.onSend = async (request, reply, payload) => {
      const isPage = request.method === 'GET' && reply.statusCode === 200
      if (!isPage || typeof payload !== 'string') return payload
      // The token identifies the person without another query; a new token costs one full answer.
      return sealText(request, reply, bearerOf(request) ?? undefined, payload)
    }
  })
}

async function* toJson(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let separator = '['
  for await (const batch of batches) {
    yield `${separator}${batch.map((item) => JSON.stringify(item)).join(',')}`
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

/** The first value of a repeated parameter counts. */
function firstValues(query: unknown): Record<string, unknown> {
  const entries = typeof query === 'object' && query !== null ? Object.entries(query) : []
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? (value as unknown[])[0] : value]),
  )
}
