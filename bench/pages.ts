/** Guests' pages: from memory against a fixed buffer of the same bytes, and rendered anew against their JSON. */
import { latencySection, measureLatency } from './latency.ts'
import { startReference, type Served } from './product.ts'
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

export async function benchPages(
  { product, lessons }: { product: Served; lessons: number },
  settings: Settings,
): Promise<Section[]> {
  const cached = [
    await benchCached(settings, product, 'list page', '/lesson/all'),
    await benchCached(settings, product, 'lesson page', '/lesson/details/7'),
    await benchCached(settings, product, 'home', '/'),
    await benchCached(settings, product, 'list page, 304', '/lesson/all', true),
  ]
  const fresh = [
    await benchFresh(
      settings,
      product,
      'list page',
      manyPages(),
      (path) => `/api${path.replace('/all', '/browse')}`,
    ),
    await benchFresh(
      settings,
      product,
      'lesson page',
      manyLessons(lessons),
      (path) => `/api${path.replace('/details', '')}`,
    ),
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
      title: "Guests' pages rendered anew, against the JSON of their data",
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
            { pid: product.pid, load },
            medianOf(found.ours, 'perSecond'),
            settings,
          ),
        ]
    const aims = { step: revalidates ? null : 0.7, goal: 0.9 }
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

async function benchFresh(
  settings: Settings,
  product: Served,
  what: string,
  paths: string[],
  toJson: (path: string) => string,
) {
  const load: Side['load'] = {
    port: product.port,
    method: 'GET',
    paths,
    authorizations: [],
    headers: BROWSER,
    expect: { status: 200, bytes: 1000, exact: false, field: '</html>' },
  }
  const json: Side['load'] = {
    ...load,
    paths: paths.map(toJson),
    headers: { accept: 'application/json' },
    expect: { status: 200, bytes: 200, exact: false, field: '"ownerName"' },
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
    judged('≤ 1.5 ms', found.cpuOver.median <= 1.5),
  ]
  const latency = [
    await measureLatency(
      `${what} rendered anew`,
      { pid: product.pid, load },
      medianOf(found.ours, 'perSecond'),
      settings,
    ),
  ]
  return { row, notes: wrong, latency, raw: { what, ...found } }
}

/** So many that none comes again while it is kept. */
function manyPages(): string[] {
  return ['none', 'likes', 'views', 'comments'].flatMap((sort) =>
    Array.from({ length: 999 }, (_, place) => `/lesson/all?sort=${sort}&page=${place + 2}`),
  )
}

function manyLessons(lessons: number): string[] {
  return Array.from(
    { length: Math.min(lessons, 50_000) },
    (_, place) => `/lesson/details/${lessons - place}`,
  )
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
            const kept = Object.entries(response.headers)
              .filter(([name]) => !OWN_HEADERS.test(name))
              .map(([name, value]): [string, string] => [name, String(value)])
            if (response.statusCode === 200) kept.push(['content-length', String(body.length)])
            resolve({ status: response.statusCode ?? 0, headers: kept, body })
          })
        },
      )
      asked.once('error', reject)
      asked.end()
    },
  )
}
