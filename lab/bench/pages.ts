/** Pages: guests' from memory against a fixed buffer of the same bytes, and rendered anew against their JSON. */
import { CourseSort } from '#contract/course-lists.schemas.ts'
import { Sort } from '#contract/items.schemas.ts'
import { LAST_PAGE, PAGE_SIZE } from '#contract/limits.ts'
import { createTokens } from '#server/accounts/sessions/tokens.ts'
import { systemClock } from '#server/kernel/clock.ts'
import { READ } from './api.ts'
import { authorId, type Buyer } from './fill.ts'
import { latencySection, measureLatency } from './latency.ts'
import { SECRET, startReference, type Served } from './product.ts'
import { compare, medianOf, type Settings, type Side } from './rounds.ts'
import {
  COMPARISON_COLUMNS,
  comparisonRow,
  judged,
  ranged,
  wrongNotes,
  type Section,
} from './table.ts'

/** What a browser sends that a page's answer may depend on. */
const BROWSER = {
  accept: 'text/html',
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': 'en',
}
const OWN_HEADERS = /^(?:date|connection|keep-alive|transfer-encoding|content-length)$/i

interface PageSubject {
  readonly product: Served
  readonly lessons: number
  readonly courses: number
  /** Bought the first READ lessons. */
  readonly reader: Buyer
}

/** Measures pages from the cache and pages that are rendered for each request. */
export async function benchPages(
  { product, lessons, courses, reader }: PageSubject,
  settings: Settings,
): Promise<Section[]> {
  const tokens = createTokens({ secrets: [SECRET], accessMinutes: 600, clock: systemClock })
  const cached = [
    await benchCached(settings, product, 'list page', '/lesson/all'),
    await benchCached(settings, product, 'lesson page', '/lesson/details/7'),
    await benchCached(settings, product, 'course list page', '/course/all'),
    await benchCached(settings, product, 'course page', '/course/details/7'),
    await benchCached(settings, product, 'home', '/'),
    await benchCached(settings, product, 'list page, 304', '/lesson/all', true),
  ]
  const cookie = { cookie: `kb=${tokens.refreshToken(reader.sessionId, 1)}` }
  const authorization = {
    authorization: `Bearer ${await tokens.signAccess(reader.userId, reader.sessionId)}`,
  }
  const fresh = [
    await benchFresh(settings, product, {
      what: 'list page',
      paths: manyPages('/lesson/all', Sort.options, lessons),
      toJson: (path) => `/api${path.replace('/all', '/browse')}`,
    }),
    await benchFresh(settings, product, {
      what: 'lesson page',
      paths: manyItems('/lesson/details', lessons),
      toJson: (path) => `/api${path.replace('/details', '')}`,
    }),
    await benchFresh(settings, product, {
      what: 'course list page',
      paths: manyPages('/course/all', CourseSort.options, courses),
      toJson: (path) => `/api${path.replace('/all', '/browse')}`,
    }),
    await benchFresh(settings, product, {
      what: 'course page',
      paths: manyItems('/course/details', courses),
      toJson: (path) => `/api${path.replace('/details', '')}`,
    }),
    await benchFresh(settings, product, {
      what: 'open lesson page, signed in',
      paths: manyItems('/lesson/details', READ),
      toJson: (path) => `/api${path.replace('/details', '')}`,
      cookie,
      authorization,
      goal: 2.5,
    }),
    await benchFresh(settings, product, {
      what: 'profile, signed in',
      paths: Array.from({ length: READ }, (_, place) => `/profile/${authorId(place + 1)}`),
      toJson: (path) => `/api/identity${path}`,
      cookie,
      authorization,
      goal: 3,
    }),
  ]
  return [
    {
      title: "Guests' pages from memory, against node:http with the same bytes and headers",
      columns: COMPARISON_COLUMNS,
      rows: cached.map((entry) => entry.row),
      notes: cached.flatMap((entry) => entry.notes),
      raw: cached.map((entry) => entry.raw),
    },
    {
      title: 'Pages rendered anew, against the JSON of their data',
      columns: ['what', 'pages/s', 'CPU page', 'CPU JSON', 'CPU over the JSON', 'goal'],
      rows: fresh.map((entry) => entry.row),
      notes: fresh.flatMap((entry) => entry.notes),
      raw: fresh.map((entry) => entry.raw),
    },
    latencySection(
      'Latency of pages at a fixed rate below half of the most',
      [...cached, ...fresh].flatMap((entry) => entry.latency),
    ),
  ]
}

async function benchCached(
  settings: Settings,
  product: Served,
  what: string,
  path: string,
  revalidates = false,
) {
  const first = await fetchRaw(product.port, path, BROWSER)
  const etag = first.headers.find(([name]) => name === 'etag')?.[1] ?? ''
  const headers = revalidates ? { ...BROWSER, 'if-none-match': etag } : BROWSER
  const answer = revalidates ? await fetchRaw(product.port, path, headers) : first
  const reference = await startReference({
    kind: 'buffer',
    status: answer.status,
    headers: answer.headers,
    body: answer.body.toString('base64'),
  })
  try {
    const load: Side['load'] = {
      port: product.port,
      method: 'GET',
      paths: [path],
      authorizations: [],
      headers,
      // Exact bytes can't be asked for: a page holds its time and its views.
      expect: {
        status: revalidates ? 304 : 200,
        bytes: Math.floor(answer.body.length * 0.95),
        exact: false,
        field: revalidates ? '' : '</html>',
      },
    }
    const found = await compare(
      settings,
      { pid: product.pid, load },
      { pid: reference.pid, load: { ...load, port: reference.port } },
    )
    const latency = revalidates
      ? []
      : [
          await measureLatency(
            `${what} from memory`,
            product,
            load,
            medianOf(found.ours, 'perSecond'),
            settings,
          ),
        ]
    const aims = { step: revalidates ? null : 0.7, goal: 0.8 }
    const row = comparisonRow(`${what} (${answer.body.length} bytes)`, found, aims)
    return {
      row,
      notes: wrongNotes(what, found),
      latency,
      raw: { what, path, bytes: answer.body.length, ...found },
    }
  } finally {
    await reference.stop()
  }
}

interface FreshPages {
  readonly what: string
  readonly paths: string[]
  readonly toJson: (path: string) => string
  /** Of a signed-in person, for the page and for its JSON. */
  readonly cookie?: Readonly<Record<string, string>>
  readonly authorization?: Readonly<Record<string, string>>
  /** Milliseconds of CPU over the JSON. */
  readonly goal?: number
}

async function benchFresh(
  settings: Settings,
  product: Served,
  { what, paths, toJson, cookie, authorization, goal = 1.5 }: FreshPages,
) {
  const load: Side['load'] = {
    port: product.port,
    method: 'GET',
    paths,
    authorizations: [],
    headers: { ...BROWSER, ...cookie },
    expect: { status: 200, bytes: 1000, exact: false, field: '</html>' },
  }
  const json: Side['load'] = {
    ...load,
    paths: paths.map(toJson),
    headers: { accept: 'application/json', ...authorization },
    expect: { status: 200, bytes: 200, exact: false, field: '"likes"' },
  }
  const found = await compare(
    settings,
    { pid: product.pid, load },
    { pid: product.pid, load: json },
  )
  const wrong = wrongNotes(what, found)
  const row = [
    wrong.length === 0 ? what : `${what} (INVALID)`,
    medianOf(found.ours, 'perSecond').toFixed(0),
    `${medianOf(found.ours, 'cpu').toFixed(2)} ms`,
    `${medianOf(found.reference, 'cpu').toFixed(2)} ms`,
    `${ranged(found.cpuOver)} ms`,
    judged(`≤ ${goal} ms`, found.cpuOver.median <= goal),
  ]
  const latency = [
    await measureLatency(
      `${what} rendered anew`,
      product,
      load,
      medianOf(found.ours, 'perSecond'),
      settings,
    ),
  ]
  return { row, notes: wrong, latency, raw: { what, ...found } }
}

/** So many that none comes again while it is cached. */
function manyPages(path: string, sorts: readonly string[], items: number): string[] {
  const last = Math.min(LAST_PAGE, Math.ceil(items / PAGE_SIZE))
  return sorts.flatMap((sort) =>
    Array.from({ length: last - 1 }, (_, place) => `${path}?sort=${sort}&page=${place + 2}`),
  )
}

function manyItems(path: string, items: number): string[] {
  return Array.from({ length: Math.min(items, 50_000) }, (_, place) => `${path}/${items - place}`)
}

/** As it goes over the wire: fetch would unpack the body. */
async function fetchRaw(port: number, path: string, headers: Record<string, string>) {
  const { request } = await import('node:http')
  return new Promise<{ status: number; headers: [string, string][]; body: Buffer }>(
    (resolve, reject) => {
      const asked = request(
        { host: '127.0.0.1', port, path, headers: { ...headers, host: `localhost:${port}` } },
        (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => void parts.push(part))
          response.on('end', () => {
            const body = Buffer.concat(parts)
            const own = Object.entries(response.headers)
              .filter(([name]) => !OWN_HEADERS.test(name))
              .map(([name, value]): [string, string] => [name, String(value)])
            if (response.statusCode === 200) own.push(['content-length', String(body.length)])
            resolve({ status: response.statusCode ?? 0, headers: own, body })
          })
        },
      )
      asked.once('error', reject)
      asked.end()
    },
  )
}
