/** ARCHITECTURE.md in executable form: who may import whom, who writes which table. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * The groups of each room and the folders of each group, in import order: a folder may import only from folders
 * that are listed before it. A group with an empty list is a single folder, or a file at the top of the room.
 */
const ORDER: Readonly<Record<'server' | 'web', Readonly<Record<string, readonly string[]>>>> = {
  server: {
    kernel: [],
    platform: ['redis', 'db', 'events', 'core', 'nodes', 'jobs', 'files', 'mail'],
    people: ['points', 'accounts', 'moderation', 'opinion'],
    items: [
      'shared',
      'words',
      'checks',
      'drafts',
      'captions',
      'lessons',
      'courses',
      'search',
      'purchases',
      'likes',
      'comments',
      'follows',
      'progress',
      'notes',
      'certificates',
      'ratings',
      'returns',
      'figures',
      'flags',
    ],
    community: ['chat', 'contact', 'notices', 'profiles'],
    operate: [
      'webhooks',
      'failures',
      'people',
      'economy',
      'numbers',
      'audit',
      'backup',
      'upgrade',
      'doctor',
      'exports',
      'removal',
      'appeals',
      'settings',
    ],
    home: [],
    pages: [],
    demo: [],
    'core.ts': [],
    'measure.ts': [],
    'parts.ts': [],
    'routes.ts': [],
    'work.ts': [],
    'app.ts': [],
    testing: [],
    'process.ts': [],
    'main.ts': [],
    'worker.ts': [],
  },
  web: {
    ui: [],
    core: [],
    layout: [],
    people: ['points', 'accounts'],
    items: [
      'flags',
      'comments',
      'likes',
      'purchases',
      'progress',
      'ratings',
      'drafts',
      'shared',
      'follows',
      'notes',
      'checks',
      'captions',
      'certificates',
      'figures',
      'lessons',
      'courses',
      'search',
    ],
    community: ['notices', 'profiles', 'chat', 'contact'],
    operate: [
      'desk',
      'failures',
      'moderation',
      'appeals',
      'people',
      'economy',
      'numbers',
      'audit',
      'backup',
      'videos',
      'settings',
      'invitations',
      'webhooks',
    ],
    home: [],
    info: [],
    offline: [],
    'root.tsx': [],
    'desk-routes.ts': [],
    'routes.ts': [],
    'router.ts': [],
    'entry.server.tsx': [],
    'entry.client.tsx': [],
  },
}

/** Names that a list of the order may have. */
const LONGEST_ORDER = 20

/** The folders of a room by their paths, in their order. */
const placesOf = (room: 'server' | 'web'): string[] =>
  Object.entries(ORDER[room]).flatMap(([group, folders]) =>
    folders.length === 0 ? [group] : folders.map((folder) => `${group}/${folder}`),
  )

/** Which of them a path in the room belongs to. */
function placeOf(room: string, path: string): string {
  const [group = '', folder = ''] = path.split('/')
  const isGroup = (room === 'server' || room === 'web') && (ORDER[room][group]?.length ?? 0) > 0
  return isGroup ? `${group}/${folder}` : group
}

/** They fill a database for people who look or test, or repair times in many tables at a start. */
const WRITERS_OF_ALL = ['demo', 'testing', 'operate/upgrade']

/** SHA-256 of each migration. A released one never changes, because a start refuses databases with another hash. */
const MIGRATIONS: Record<string, string> = {
  '0001_platform.sql': '27c9ac73f81d1dac8aea9b885f4dca0387064aaaebb7efac2820ef7cf4e0e7f9',
  '0002_accounts.sql': '59ab61678acfac1494436a21ef70c8b082ad9481842945572801f05572c7ba38',
  '0003_points.sql': '0f3e7bcc2f7d4eecca8bf39069bce1ed06d535b912eef410e2a723f10262f261',
  '0004_lessons.sql': '38c93213887aeb824bf3b89a79475880f75a97a0d02787445c6c089a61480aca',
  '0005_courses.sql': 'ab3e8b5a0e61e94a73b38239f3a27afd81a29509a2e0f464a3a6ced61aac096a',
  '0006_search.sql': '71f48688a2c1e955a539112b129af0d46b7e8b6fc1d85402a33d1120fbb2462d',
  '0007_conversation.sql': '257cdedf4989c80275791f972f0184fbd5cb92725626f4fdc512bddf29757649',
  '0008_notices.sql': '42599aebe943d15b988f9ddff7d89d84e0cb5617b2a57074781fa7dae8d849b0',
  '0009_copies.sql': 'c3d088e5b83dff60f8c2a23512a027d83f86d3fdff9266f2296315bd9b0cb01d',
  '0010_trust.sql': '001f5a0b5f1a477e2e13852466208e69bda7e968597481e56f305276afa31251',
  '0011_promise.sql': '072f4f75c1f73ff4ed63a95ff787cf8aad86dd418417b0eeda3f9830375979d8',
  '0012_figures.sql': '6ae9a7235f42b15a536cd12ca229925a912c0c7303c3755670e942387fa382b3',
  '0013_settings.sql': 'bb3d56b56884ad350fe67c0cbfd50cffc30a0a333f6506ff4c30225843c08197',
  '0015_people.sql': '3e1bd16a21fcc5fe1337b42492fe0bbb816edb5862b5cd30de6ced0759db6634',
  '0018_ledger_days.sql': '7302c3b1bb9f30063d91f7970e3bcd97f0f33ebd1f007e83e598d5da24f81760',
  '0025_clearings.sql': 'acd8bc7048acea2215453090066f8385936f5aff687010f409d49c6c5556b3d0',
  '0020_captions.sql': 'd102b2ab83867ccc3735ddb634359e0cafb6ef30f78e752990dc201cc6333771',
  '0019_appeals.sql': 'f6d8d0779511df3db83ec686a3263766c24bc221f30f29de2e26292924fa35e5',
  '0024_languages.sql': '8f92862316b74404feb94d86f3c6ce78051da64dbf4612b3f0d099f5768bece3',
  '0016_numbers.sql': 'cf6218bc5e2dac0d3e3c1915d9796baec0296731ebaad2d1e05f08db10993179',
  '0023_public_pages.sql': 'f4b085e95d13391e2e06e3260d2c5c5f7b7436323bd0d5977fc8bcba15e13ef2',
  '0014_invitations.sql': 'f85b146607a4daeb05074c375e2046f5e6a6853d1772e1e3e7d32ffbcb3730d4',
  '0022_drafts.sql': '1e2321f274aa7d2b29d7505b811b85f81bd5d7302f1846922dc83997c1665709',
  '0021_figures.sql': '3deb2b684e81436d0a894396ff664899631bddecaffce7179e25d94b3af09856',
}

const LONGEST_FILE = 300

/** The exports of the packages that the product uses. */
const PACKAGE = ['#opinion', '#signalr', '#signalr/messagepack', '#signalr/redis']
/** Files of its own that a folder may have; what has more is divided by what belongs together. */
const FULLEST_FOLDER = 25
/** A long list by nature: a file or two for each noun. */
const LISTS = ['contract']
const SOURCE = /\.(ts|tsx|mjs)$/
const TEST = /\.test\.tsx?$/

interface SourceFile {
  path: string
  /** Its folder in the order of its room. */
  folder: string
  text: string
}

function filesOf(room: string): SourceFile[] {
  if (!existsSync(room)) return []
  return readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((path) => SOURCE.test(path) && !path.includes('/dist/'))
    .map((path) => ({
      path: join(room, path),
      folder: placeOf(room, path),
      text: readFileSync(join(room, path), 'utf8'),
    }))
}

function importsOf(text: string): string[] {
  const pattern = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)['"]([^'"]+)['"]/g
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '')
}

function tablesWrittenBy(text: string): string[] {
  const patterns = [
    /\binsert\s+into\s+(?:only\s+)?"?([a-z_]+)/gi,
    /\bupdate\s+(?:only\s+)?"?([a-z_]+)"?(?:\s+(?:as\s+)?[a-z_]+)?\s+set\b/gi,
    /\bdelete\s+from\s+(?:only\s+)?"?([a-z_]+)/gi,
    /\bmerge\s+into\s+"?([a-z_]+)/gi,
    /\btruncate\s+(?:table\s+)?"?([a-z_]+)/gi,
    /\bcopy\s+"?([a-z_]+)"?\s*(?:\([^)]*\)\s*)?from\b/gi,
    /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"]([a-z_]+)/g,
  ]
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''))
}

/** Tables of which a `personal.ts` says why a column stays, or is not exported. */
const tablesExcusedBy = (text: string): string[] =>
  [...text.matchAll(/^\s+'([a-z_]+)\.[a-z_]+':/gm)].map((match) => match[1] ?? '')

test('imports and writes are recognised', () => {
  const code = `
    import 'a'
    import { b } from "b"
    export { c } from 'c'
    const d = await import('d')`
  expect(importsOf(code)).toEqual(['a', 'b', 'c', 'd'])
  const sql = `
    with x as (insert into users (id) values (1)) update lessons as l set title = ''
    delete from "sessions"; db.insertInto('uploads'); copy pictures (id) from stdin
    select * from point_entries for update; update point_balances b set amount = 0`
  expect(tablesWrittenBy(sql).toSorted()).toEqual([
    'lessons',
    'pictures',
    'point_balances',
    'sessions',
    'uploads',
    'users',
  ])
})

for (const room of ['server', 'web'] as const) {
  const order = placesOf(room)

  test(`every folder of ${room} has its place in the order`, () => {
    const strangers = filesOf(room).filter(({ folder }) => !order.includes(folder))
    expect(strangers.map(({ path }) => path)).toEqual([])
    expect(order.filter((name) => !existsSync(join(room, name)))).toEqual([])
  })

  test(`in ${room} a folder imports only what stands above it`, () => {
    const wrong = filesOf(room).flatMap(({ path, folder, text }) => {
      // A test may use what the whole room has for tests.
      const own = TEST.test(path) ? order.length : order.indexOf(folder)
      return importsOf(text)
        .filter((name) => name.startsWith('#'))
        .filter((name) => {
          const target = name.slice(1).split('/')[0] ?? ''
          // The public exports of a package may be imported everywhere.
          if (target === 'contract' || PACKAGE.includes(name)) return false
          // Shared test code may import a package's test code, because tests may.
          if (folder === 'testing' && name.startsWith('#signalr/testing/')) return false
          // A test may lay two rooms side by side, for example to see both count alike.
          if (target !== room) return !TEST.test(path)
          const imported = placeOf(room, name.slice(room.length + 2))
          return imported !== folder && order.indexOf(imported) >= own
        })
        .map((name) => `${path} imports ${name}`)
    })
    expect(wrong).toEqual([])
  })
}

test('each list of the order is short', () => {
  const lists = Object.values(ORDER).flatMap((room) => [Object.keys(room), ...Object.values(room)])
  expect(lists.filter((list) => list.length > LONGEST_ORDER)).toEqual([])
})

test('a package imports nothing of ours but itself', () => {
  const files = filesOf('packages')
  expect(files.length).toBeGreaterThan(30)
  const wrong = files.flatMap(({ path, text }) => {
    const depth = path.split('/').length - 3
    return importsOf(text)
      .filter((name) => name.startsWith('#') || name.startsWith('../'.repeat(depth + 1)))
      .map((name) => `${path} imports ${name}`)
  })
  expect(wrong).toEqual([])
})

test('nothing imports the laboratory', () => {
  const wrong = ['contract', 'server', 'packages', 'web', 'worker', 'scripts', 'e2e', 'deploy']
    .flatMap(filesOf)
    .flatMap(({ path, text }) =>
      importsOf(text)
        .filter((name) => name.startsWith('#lab/') || /^(?:\.\.\/)+lab\//.test(name))
        .map((name) => `${path} imports ${name}`),
    )
  expect(wrong).toEqual([])
})

test('the contract imports nothing of ours but itself', () => {
  const wrong = filesOf('contract').flatMap(({ path, text }) =>
    importsOf(text)
      .filter(
        (name) => name.startsWith('#') && !name.startsWith('#contract/') && name !== '#locales',
      )
      .map((name) => `${path} imports ${name}`),
  )
  expect(wrong).toEqual([])
})

test('only the start of a process reads the environment', () => {
  const readers = [...filesOf('contract'), ...filesOf('server'), ...filesOf('web')]
    .filter(
      ({ path, folder }) =>
        path !== 'server/process.ts' && folder !== 'testing' && !TEST.test(path),
    )
    .filter(({ text }) => /\bprocess\.env\b/.test(text))
  expect(readers.map(({ path }) => path)).toEqual([])
})

test('folders are told nothing by callbacks: what happened is published on the bus', () => {
  /** Those of one request or one connection, which no bus could carry. */
  const own = ['server/kernel/http/bodies.ts', 'server/platform/db/pool.ts']
  const declared =
    /\breadonly on[A-Z]\w*\??:|\bon[A-Z]\w*\??:\s*\((?:[^()]|\([^()]*\))*\)\s*=>\s*(?:void|unknown|undefined|boolean|Promise<)/
  expect(declared.test('{ onChange }: { readonly onChange: () => void }')).toBe(true)
  expect(declared.test('create(db: Db, onErased: (id: string) => Promise<void>)')).toBe(true)
  expect(declared.test('{ onConnect: (client) => limit(client) }')).toBe(false)
  const wrong = filesOf('server')
    // The hub is a library, which knows no bus of ours.
    .filter(({ path, folder }) => !TEST.test(path) && folder !== 'testing')
    .filter(({ path, text }) => !own.includes(path) && declared.test(text))
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test('what joins the server stays short', () => {
  const [found = ''] =
    /^export async function createApp\([^]*?^}/m.exec(readFileSync('server/app.ts', 'utf8')) ?? []
  expect(found).toContain('createCore(')
  expect(found.split('\n').length).toBeLessThanOrEqual(60)
})

test('the calls of every folder are listed', () => {
  const list = readFileSync('server/routes.ts', 'utf8')
  const folders = filesOf('server')
    .filter(
      ({ path, text }) => path.endsWith('/routes.ts') && text.includes('export function routes('),
    )
    .map(({ path }) => path)
  const listed = [...list.matchAll(/import \{ routes as (\w+) \} from '#([^']+)'/g)]
  expect(listed.map((match) => match[2] ?? '').toSorted()).toEqual(folders.toSorted())
  const called = /const FOLDERS[^[]*\[\]\)\[\] = \[([^\]]*)\]/.exec(list)?.[1] ?? ''
  expect(called.match(/\w+/g)?.toSorted()).toEqual(listed.map((match) => match[1] ?? '').toSorted())
})

test('a job is named in one place', () => {
  const files = filesOf('server').filter(({ path }) => !TEST.test(path))
  const kinds = files.flatMap(({ text }) =>
    [...text.matchAll(/\bjobKind\(\s*'(\w+)'/g)].map((match) => match[1] ?? ''),
  )
  expect(kinds.length).toBeGreaterThan(10)
  const uses = files.flatMap(({ text }) =>
    [...text.matchAll(/'(\w+)'/g)]
      .map((match) => match[1] ?? '')
      .filter((word) => kinds.includes(word)),
  )
  expect(uses.toSorted()).toEqual(kinds.toSorted())
})

test('the desk has words for every job', () => {
  const named = readFileSync('web/operate/failures/job-words.ts', 'utf8')
  const kinds = filesOf('server')
    .filter(({ path }) => !TEST.test(path))
    .flatMap(({ text }) => [...text.matchAll(/\bjobKind\(\s*'(\w+)'/g)])
    .map((match) => match[1] ?? '')
  expect(kinds.length).toBeGreaterThan(10)
  expect(kinds.filter((kind) => !named.includes(`  ${kind}: '`))).toEqual([])
})

test('connections to the database are opened in one place', () => {
  const openers = [...filesOf('server'), ...filesOf('scripts')]
    .filter(({ path, folder }) => folder !== 'testing' && !TEST.test(path))
    .filter(({ text }) => /\bnew (?:pg\.)?(?:Pool|Client)\(|\bextends pg\./.test(text))
  // The second one only looks whether connections of the first are alive.
  const paths = openers.map(({ path }) => path)
  expect(paths).toEqual(['server/platform/db/pool.ts', 'server/platform/db/wire.ts'])
})

test('advisory locks get their keys in one place', () => {
  const takers = [...filesOf('server'), ...filesOf('scripts')]
    .filter(({ path }) => !TEST.test(path))
    .filter(({ text }) => /pg_advisory_xact_lock|\b7_?261_?00\d\b/.test(text))
  expect(takers.map(({ path }) => path)).toEqual(['server/platform/db/locks.ts'])
})

test('verbs take the time from the clock of their process', () => {
  const nouns =
    /^server\/(?:people|items|community|home|operate\/(?:economy|exports|failures|removal|webhooks))\//
  const readers = filesOf('server')
    .filter(({ path }) => nouns.test(path) && !TEST.test(path))
    .filter(({ text }) =>
      /\bDate\.now\(|new Date\(\)|(?:set \w+ =|>|coalesce\(.*,) now\(\)/.test(text),
    )
  expect(readers.map(({ path }) => path).toSorted()).toEqual([
    // Erasure has no clock.
    'server/items/certificates/store.ts',
    // All nodes compare by the clock of the database.
    'server/people/accounts/sessions/write-marks.ts',
    // A date from the header of another server.
    'server/people/opinion/remote.ts',
  ])
})

/** Folders by the table that they write. */
function writersOf(files: readonly SourceFile[]): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>()
  for (const { path, folder, text } of files)
    if (!TEST.test(path) && !WRITERS_OF_ALL.includes(folder))
      for (const table of tablesWrittenBy(text))
        writers.set(table, (writers.get(table) ?? new Set()).add(folder))
  return writers
}

test('only one folder writes a table', () => {
  const writers = writersOf(filesOf('server'))
  expect(writers.size).toBeGreaterThan(50)
  const shared = [...writers].filter(([, folders]) => folders.size > 1)
  expect(shared.map(([table, folders]) => `${table}: ${[...folders].join(', ')}`)).toEqual([])
})

test('a page module exports its component alone, so that it can be replaced in an open page', () => {
  const components = filesOf('web').filter(
    ({ path }) => path.endsWith('.tsx') && existsSync(path.replace(/\.tsx$/, '.data.ts')),
  )
  expect(components.length).toBeGreaterThan(20)
  const wrong = components.filter(({ text }) =>
    /^export (?!default function|interface|type)/m.test(text),
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test('a folder says of its own tables alone what stays of a person', () => {
  const files = filesOf('server')
  const writers = writersOf(files)
  const excuses = files.filter(({ path }) => path.endsWith('/personal.ts'))
  expect(excuses.length).toBeGreaterThan(10)
  const wrong = excuses.flatMap(({ path, folder, text }) =>
    tablesExcusedBy(text)
      .filter((table) => writers.get(table)?.has(folder) === false)
      .map((table) => `${path} excuses ${table}`),
  )
  expect(wrong).toEqual([])
})

test('a released migration never changes, and MIGRATIONS lists the hash of each new one', () => {
  const found = migrations().map(({ name, text }) => [
    name,
    createHash('sha256').update(text).digest('hex'),
  ])
  expect(Object.fromEntries(found)).toEqual(MIGRATIONS)
})

test(`no source file is longer than ${LONGEST_FILE} lines`, () => {
  const long = ['contract', 'server', 'packages', 'web', 'scripts', 'e2e', 'lab']
    .flatMap(filesOf)
    .filter(({ path }) => !TEST.test(path) && !path.endsWith('.gen.ts'))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > LONGEST_FILE)
  expect(long).toEqual([])
})

test(`no folder has more than ${FULLEST_FOLDER} files of its own`, () => {
  const counts = new Map<string, number>()
  for (const room of ['contract', 'server', 'packages', 'web'])
    for (const entry of readdirSync(room, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !entry.parentPath.includes('/dist'))
        counts.set(entry.parentPath, (counts.get(entry.parentPath) ?? 0) + 1)
  const full = [...counts].filter(([, files]) => files > FULLEST_FOLDER).map(([folder]) => folder)
  expect(full.filter((folder) => !LISTS.includes(folder))).toEqual([])
})

test('every decision has a number of its own, which its title says, and a link in the index', () => {
  const folder = 'docs/decisions'
  const names = readdirSync(folder).filter((name) => name !== 'README.md')
  const numberOf = (name: string) => name.slice(0, 4)
  const twice = names.filter((name) =>
    names.some((other) => other !== name && numberOf(other) === numberOf(name)),
  )
  expect(twice).toEqual([])
  const wrong = names.filter((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    return !/^\d{4}-/.test(name) || !text.startsWith(`# ${numberOf(name)}. `)
  })
  expect(wrong).toEqual([])
  const index = readFileSync(join(folder, 'README.md'), 'utf8')
  expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([])
})

/** The tables of all pages. */
const ROUTES: readonly string[] = ['web/routes.ts', 'web/desk-routes.ts']

/** Codes in answers, and refusals by schemas that only the server parses with: pages show neither as a text. */
const CODES: readonly string[] = [
  'contract/captions.ts: captionAnswerMs',
  'contract/captions.ts: captionsEmpty',
  'contract/captions.ts: captionsTooLarge',
  'contract/certificates.ts: badRequest',
  'contract/certificates.ts: certificateNotFound',
  'contract/checks.ts: checkInvalid',
  'contract/files.ts: fileRequired',
  'contract/moderation.ts: certificateRevoked',
  'contract/moderation.ts: flagClosed',
  'contract/moderation.ts: jobsDropped',
  'contract/moderation.ts: jobsRetried',
  'contract/moderation.ts: mailsDropped',
  'contract/moderation.ts: mailsRetried',
  'contract/profiles.ts: passwordWrong',
  'contract/ratings.ts: ratingNotFound',
  'contract/ratings.ts: ratingNotUndoable',
  'web/core/api.ts: confirmFirst',
]

test.each([
  ['readers are shown no text of the desk', 'desk', (line: string) => !line.includes("'desk'")],
  [
    'guests are shown no text of members',
    'members',
    (line: string) => /'(?:all|guest)'/.test(line),
  ],
  ['pages show no text that only the server has', 'server', () => true],
])('%s', (_, catalogue, isOfThem) => {
  const file = JSON.parse(readFileSync('contract/messages/en.json', 'utf8')) as Record<
    string,
    object
  >
  const foreign: readonly string[] = Object.keys(file[catalogue] ?? {})
  const texts = new Map(['web', 'contract'].flatMap(filesOf).map(({ path, text }) => [path, text]))
  const pages = [
    ...ROUTES.map((path) => texts.get(path) ?? '')
      .join('\n')
      .matchAll(/'\w+',\s*'\w+Page',\s*\(\) => import\('#([^']+)'\)(?:,\s*'desk')?/g),
  ]
    .filter(([line]) => isOfThem(line))
    .map(([, page = '']) => page)
  // A set that grows is walked to its end.
  const reached = new Set(['web/entry.client.tsx', ...pages])
  for (const path of reached) {
    const code = (texts.get(path) ?? '').replaceAll(/^import type [^']*'[^']+'$/gm, '')
    const imports = ROUTES.includes(path) ? [] : importsOf(code)
    for (const name of imports) if (/^#(?:web|contract)/.test(name)) reached.add(name.slice(1))
  }
  expect(reached).toContain('web/layout/Footer.tsx')
  expect(reached).toContain('web/home/HomePage.tsx')
  const wrong = [...reached].flatMap((path) =>
    foreign.filter((key) => texts.get(path)?.includes(`'${key}'`)).map((key) => `${path}: ${key}`),
  )
  expect(wrong.filter((named) => !CODES.includes(named))).toEqual([])
})

test('no page carries a style attribute: the content policy allows none', () => {
  const styled = filesOf('web').filter(
    ({ path, text }) => extname(path) === '.tsx' && /\sstyle=\{/.test(text),
  )
  expect(styled.map(({ path }) => path)).toEqual([])
})

function migrations(): { name: string; text: string }[] {
  const folder = 'server/platform/db/migrations'
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}
