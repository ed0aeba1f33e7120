/**
 * Checks that docs/conformance.md only cites existing tests, and covers all transports, protocols and message
 * types.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const PACKAGE = dirname(import.meta.dirname)
const KINDS = [
  'Invocation',
  'StreamInvocation',
  'StreamItem',
  'Completion',
  'CancelInvocation',
  'Ping',
  'Close',
  'Ack',
  'Sequence',
]

/** Rows of all tables by heading, split into cells. */
const tables = new Map<string, string[][]>()
let heading = ''
for (const line of readFileSync(join(PACKAGE, 'docs', 'conformance.md'), 'utf8').split('\n')) {
  if (line.startsWith('## ')) heading = line.slice(3)
  if (!line.startsWith('| ')) continue
  const rows = tables.get(heading) ?? []
  tables.set(heading, rows)
  rows.push(line.slice(2, -2).split(' | '))
}
/** Excludes the header row. */
const rowsOf = (name: string) => tables.get(name)?.slice(1) ?? []

/** Returns what is wrong with a cell that should name a test, or null. */
function faultOf(cell: string): string | null {
  const [, file = '', title = ''] = /^`([^`]+\.test\.ts)`: (.+)$/.exec(cell) ?? []
  if (file === '') return `names no test: ${cell}`
  const path = join(PACKAGE, file)
  if (!existsSync(path)) return `no such file: ${file}`
  const text = readFileSync(path, 'utf8')
  const places = ["'", '"', '`'].map((quote) => text.indexOf(quote + title + quote))
  // A title is the first argument of its call.
  const isTitle = places.some((place) => place > 0 && /\(\s*$/.test(text.slice(0, place)))
  return isTitle ? null : `${file} has no test “${title}”`
}

test.each(['HubProtocol.md', 'TransportProtocols.md', 'Where we do otherwise'])(
  'each sentence of “%s” cites an existing test',
  (name) => {
    const rows = rowsOf(name)
    expect(rows.length).toBeGreaterThan(5)
    expect(rows.filter((cells) => cells.length !== 3)).toEqual([])
    expect(rows.map(([, , held = '']) => faultOf(held)).filter((fault) => fault !== null)).toEqual(
      [],
    )
  },
)

test('each transport is tested with each protocol in Node and in Chromium', () => {
  const rows = rowsOf('Transports and protocols')
  const ways = ['WebSockets', 'ServerSentEvents', 'LongPolling'].flatMap((transport) =>
    ['json', 'messagepack'].map((protocol) => [transport, protocol]),
  )
  expect(rows.map((cells) => cells.slice(0, 2))).toEqual(ways)
  const faults = rows.flatMap((cells) => cells.slice(2).map(faultOf))
  expect(faults).toHaveLength(2 * ways.length)
  expect(faults.filter((fault) => fault !== null)).toEqual([])
})

test.each(['JSON', 'MessagePack'])('each message type is tested in %s', (encoding) => {
  const sections = rowsOf('HubProtocol.md')
    .map(([section = '']) => section)
    .filter((section) => section.startsWith(`${encoding}: `))
  const kinds = sections.flatMap((section) => section.slice(encoding.length + 2).split(', '))
  expect([...new Set(kinds)].toSorted()).toEqual(KINDS.toSorted())
})

test('unknown titles and files are detected', () => {
  expect(faultOf('`tests/wire.test.ts`: a title of nothing')).toContain('has no test')
  expect(faultOf('`tests/nothing.test.ts`: x')).toContain('no such file')
  expect(faultOf('by hand')).toContain('names no test')
})
