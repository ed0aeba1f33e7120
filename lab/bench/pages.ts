/** Compares cached guest pages with a fixed buffer of the same size, and rendered pages with their JSON. */
import { request, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { CourseSort } from '#contract/courses.ts'
import { Sort } from '#contract/items.ts'
import { LAST_PAGE, PAGE_SIZE } from '#contract/limits.ts'
import { SECRET } from '#lab/product.ts'
import { createTokens } from '#server/people/accounts/sessions/tokens.ts'
import { systemClock } from '#server/kernel/clock.ts'
import { latencySection, measureLatency } from './latency.ts'
import { authorId, READ, type Market } from './market.ts'
import { compareWithReference } from './reference-job.ts'
import { compare, medianOf, type Served, type Settings, type Side } from './rounds.ts'
import { COMPARISON_COLUMNS, comparisonRow, wrongNotes, type Section } from './table.ts'

/** Request headers of a browser that a page may depend on. */
const BROWSER = {
  accept: 'text/html',
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': 'en',
}
const OWN_HEADERS = /^(?:date|connection|keep-alive|transfer-encoding|content-length)$/i
const CACHED = [
  ['list page', '/lesson/all'],
  ['lesson page', '/lesson/details/7'],
  ['course list page', '/course/all'],
  ['course page', '/course/details/7'],
  ['home', '/'],
] as const

/** Measures cached pages and pages rendered for each request. */
export async function benchPages(
  product: Served,
  market: Market,
  settings: Settings,
): Promise<Section[]> {
  const cached: Awaited<ReturnType<typeof benchCached>>[] = []
  for (const [what, path] of CACHED)
    cached.push(await benchCached(settings, product, what, path, false))
  cached.push(await benchCached(settings, product, 'list page, 304', '/lesson/all', true))
  const rendered: Awaited<ReturnType<typeof benchRendered>>[] = []
  for (const pages of await renderedPages(market))
    rendered.push(await benchRendered(settings, product, pages))
  return [
    {
      title: "Guests' pages from memory, against node:http with the same bytes and headers",
      columns: COMPARISON_COLUMNS,
      rows: cached.map((entry) => entry.row),
      notes: cached.flatMap((entry) => entry.notes),
      raw: cached.map((entry) => entry.raw),
    },
    {
      title: 'Rendered pages, beside the JSON of their data',
      columns: ['what', 'pages/s', 'CPU page', 'CPU JSON'],
      rows: rendered.map((entry) => entry.row),
      notes: rendered.flatMap((entry) => entry.notes),
      raw: rendered.map((entry) => entry.raw),
    },
    latencySection(
      'Latency of pages at a fixed rate below half of the most',
      [...cached, ...rendered].flatMap((entry) => entry.latency),
    ),
  ]
}

async function benchCached(
  settings: Settings,
  product: Served,
  what: string,
  path: string,
  revalidates: boolean,
) {
  const first = await fetchRaw(product.port, path, BROWSER)
  const headers = revalidates
    ? { ...BROWSER, 'if-none-match': first.headers['etag'] ?? '' }
    : BROWSER
  const answer = revalidates ? await fetchRaw(product.port, path, headers) : first
  const bytes = answer.body.length
  const load: Side['load'] = {
    port: product.port,
    paths: [path],
    headers,
    expect: {
      status: revalidates ? 304 : 200,
      // The size varies, because a page contains the time and its views.
      bytes: Math.floor(bytes * 0.95),
      field: revalidates ? '' : '</html>',
    },
  }
  const body = answer.body.toString('base64')
  const found = await compareWithReference(settings, product, load, {
    kind: 'buffer',
    ...answer,
    body,
  })
  const most = medianOf(found.ours, 'perSecond')
  return {
    row: comparisonRow(`${what} (${bytes} bytes)`, found, 0.8),
    notes: wrongNotes(what, found),
    latency: revalidates ? [] : [await measureLatency(`${what} from memory`, load, most, settings)],
    raw: { what, path, bytes, ...found },
  }
}

interface RenderedPages {
  readonly what: string
  readonly paths: readonly string[]
  /** Paths of the same data as JSON. */
  readonly json: (path: string) => string
  /** Of a signed-in person, for the page and its JSON. */
  readonly cookie?: Readonly<Record<string, string>>
  readonly authorization?: Readonly<Record<string, string>>
}

async function renderedPages({ lessons, courses, reader }: Market): Promise<RenderedPages[]> {
  const tokens = createTokens({ secrets: [SECRET], accessMinutes: 600, clock: systemClock })
  const signedIn = {
    cookie: { cookie: `kb=${tokens.refreshToken(reader, 1)}` },
    authorization: { authorization: `Bearer ${await tokens.signAccess(reader, reader)}` },
  }
  const list = (path: string) => `/api${path.replace('/all', '/browse')}`
  const item = (path: string) => `/api${path.replace('/details', '')}`
  return [
    { what: 'list page', paths: manyPages('/lesson/all', Sort.options, lessons), json: list },
    { what: 'lesson page', paths: manyItems('/lesson/details', lessons), json: item },
    {
      what: 'course list page',
      paths: manyPages('/course/all', CourseSort.options, courses),
      json: list,
    },
    { what: 'course page', paths: manyItems('/course/details', courses), json: item },
    {
      what: 'open lesson page, signed in',
      paths: manyItems('/lesson/details', READ),
      json: item,
      ...signedIn,
    },
    {
      what: 'profile, signed in',
      paths: Array.from({ length: READ }, (_, place) => `/profile/${authorId(place + 1)}`),
      json: (path) => `/api/identity${path}`,
      ...signedIn,
    },
  ]
}

async function benchRendered(
  settings: Settings,
  { pid, port }: Served,
  { what, paths, json, cookie, authorization }: RenderedPages,
) {
  const load: Side['load'] = {
    port,
    paths,
    headers: { ...BROWSER, ...cookie },
    expect: { status: 200, bytes: 1000, field: '</html>' },
  }
  const data: Side['load'] = {
    ...load,
    paths: paths.map(json),
    headers: { accept: 'application/json', ...authorization },
    expect: { status: 200, bytes: 200, field: '"likes"' },
  }
  const found = await compare(settings, { pid, load }, { pid, load: data })
  const notes = wrongNotes(what, found)
  const most = medianOf(found.ours, 'perSecond')
  return {
    row: [
      notes.length === 0 ? what : `${what} (INVALID)`,
      most.toFixed(0),
      `${medianOf(found.ours, 'cpu').toFixed(2)} ms`,
      `${medianOf(found.reference, 'cpu').toFixed(2)} ms`,
    ],
    notes,
    latency: [await measureLatency(`${what}, rendered`, load, most, settings)],
    raw: { what, ...found },
  }
}

/** Returns enough URLs that none is requested again while it is cached. */
function manyPages(path: string, sorts: readonly string[], items: number): string[] {
  const last = Math.min(LAST_PAGE, Math.ceil(items / PAGE_SIZE))
  return sorts.flatMap((sort) =>
    Array.from({ length: last - 1 }, (_, place) => `${path}?sort=${sort}&page=${place + 2}`),
  )
}

function manyItems(path: string, items: number): string[] {
  return Array.from({ length: Math.min(items, 50_000) }, (_, place) => `${path}/${items - place}`)
}

/** Returns the raw response, because fetch would decompress the body. */
async function fetchRaw(port: number, path: string, headers: Readonly<Record<string, string>>) {
  const asked = request({
    host: '127.0.0.1',
    port,
    path,
    headers: { ...headers, host: `localhost:${port}` },
  })
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  asked.once('response', resolve).once('error', reject).end()
  const response = await promise
  const body = await buffer(response)
  const own = Object.entries(response.headers)
    .filter(([name]) => !OWN_HEADERS.test(name))
    .map(([name, value]) => [name, String(value)])
  if (response.statusCode === 200) own.push(['content-length', String(body.length)])
  const fields: Record<string, string> = Object.fromEntries(own)
  return { status: response.statusCode ?? 0, headers: fields, body }
}
