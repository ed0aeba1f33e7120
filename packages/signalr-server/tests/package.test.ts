/**
 * Packs the package, installs it into an empty folder, and type-checks and runs its documentation samples and
 * examples.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { HttpTransportType, type IHttpConnectionOptions } from '@microsoft/signalr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { buildClient, collect, negotiate, TRANSPORTS } from '../testing/clients.ts'
import { startRedisServers } from '../testing/redis-servers.ts'

const run = promisify(execFile)
const PACKAGE = dirname(import.meta.dirname)
const MODULES = join(PACKAGE, '..', '..', 'node_modules')
const TSC = join(MODULES, 'typescript', 'bin', 'tsc')
/** Peer packages of users. They are linked from here, so that no registry is needed. */
const NEIGHBOURS = [
  '@hono/node-server',
  '@microsoft/signalr',
  '@microsoft/signalr-protocol-msgpack',
  '@opentelemetry/api',
  '@types/express',
  '@types/koa',
  '@types/node',
  'express',
  'fastify',
  'hono',
  'ioredis',
  'koa',
  'prom-client',
  'zod',
]
const closing: (() => unknown)[] = []
let folder: string
let tarball: string
let packed: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalr-package-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: PACKAGE,
  })
  // The build prints its output before the list.
  const listing = /^[[{][^]*/m.exec(stdout)?.[0] ?? ''
  const listed = JSON.parse(listing) as unknown
  const [pack] = Object.values(listed as Record<string, Pack>)
  packed = pack?.files.map(({ path }) => path) ?? []
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'somebody', private: true, type: 'module' }),
  )
  // Its dependencies are installed with it.
  const needs = ['ws', '@msgpack/msgpack'].map((name) => join(MODULES, name))
  tarball = join(folder, pack?.filename ?? '')
  await run(
    'npm',
    ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball, ...needs],
    {
      cwd: folder,
    },
  )
  for (const name of NEIGHBOURS) {
    const place = join(folder, 'node_modules', name)
    await mkdir(dirname(place), { recursive: true })
    await symlink(join(MODULES, name), place)
  }
})
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

/** The success message of each package checker. */
const PACKED: Readonly<Record<string, string>> = {
  publint: 'All good!',
  attw: 'signalr-hub-server/redis',
}

const kindOf = (path: string) =>
  path.replace(/^dist\/.*?(\.d\.ts|\.js)$/, 'dist/*$1').replace(/^docs\/[^/]+\.md$/, 'docs/*.md')

interface Pack {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

test('only code, types and documents are packed', () => {
  const kinds = new Set(packed.map((path) => kindOf(path)))
  expect([...kinds].toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist/*.d.ts',
    'dist/*.js',
    'docs/*.md',
    'package.json',
  ])
})

test.each([
  ['publint', ['run', '--strict']],
  ['attw', ['--profile', 'esm-only', '--format', 'ascii']],
])('%s finds no problem in the package', async (name, words) => {
  const command = join(MODULES, '.bin', name)
  // A checker that finds faults exits with an error that contains its output.
  const checked = await run(command, [...words, tarball]).catch((error: unknown) => error)
  expect(checked).not.toBeInstanceOf(Error)
  expect(checked).toMatchObject({ stdout: expect.stringContaining(PACKED[name] ?? '') as string })
})

/** Type-checks the files in a folder and compiles them to its subfolder `out`. Returns the compiler's output. */
async function compile(place: string, more: object = {}): Promise<unknown> {
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
    rewriteRelativeImportExtensions: true,
    outDir: 'out',
    rootDir: '.',
    ...more,
  }
  await writeFile(
    join(place, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.ts'] }),
  )
  return run(process.execPath, [TSC, '-p', place]).catch((error: unknown) => error)
}

/** The code samples of each page, by the name after their language. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['example.ts'],
  'docs/getting-started.md': ['server.ts', 'client.ts', 'node.ts'],
  'docs/conformance.md': [],
}

const placeOf = (page: string) => join(folder, page.replace('/', '-').replace('.md', ''))

describe.each(Object.entries(SAMPLES))('%s', (page, names) => {
  test('has code that type-checks under strict, and no broken links', async () => {
    const text = await readFile(join(PACKAGE, page), 'utf8')
    const samples = [...text.matchAll(/```ts(?: (\S+))?\n([^]*?)```/g)]
    expect(samples.map(([, name]) => name)).toEqual(names)
    for (const [, link = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g))
      expect(existsSync(join(PACKAGE, dirname(page), link)), link).toBe(true)
    if (names.length === 0) return
    await mkdir(placeOf(page))
    for (const [, name = '', code = ''] of samples) await writeFile(join(placeOf(page), name), code)
    expect(await compile(placeOf(page))).toMatchObject({ stdout: '' })
  })
})

describe('the code of the pages runs', () => {
  test('README.md, a hub', async () => {
    const { url } = await serve(placeOf('README.md'), 'example.js')
    await expect.poll(() => statusOf(url)).toBe(401)
    const connection = connect(url, { accessTokenFactory: () => 'ann' })
    const said = new Promise((resolve) =>
      connection.on('Said', (name, text) => resolve([name, text])),
    )
    await connection.start()
    await connection.invoke('Enter', 'hall')
    await connection.invoke('Say', 'hall', 'hello')
    expect(await said).toEqual(['ann', 'hello'])
    await expect(connection.invoke('Say', 'hall', 1)).rejects.toThrow('HubException: Say what?')
  })

  test('getting-started.md, a server and its client', async () => {
    const place = placeOf('docs/getting-started.md')
    const { url, child } = await serve(place, 'server.js')
    await expect.poll(() => statusOf(url)).toBe(401)
    const client = join(place, 'out', 'client.js')
    const { stdout } = await run(process.execPath, [client], {
      env: { ...process.env, HUB_URL: url },
    })
    expect(stdout).toBe('ann: Hello.\n6\n1\n2\n3\n')
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })

  test('getting-started.md, a backplane', async () => {
    const redis = await startRedisServers('single')
    closing.push(() => redis.close())
    const env = { REDIS_URL: `redis://${redis.places.join()}` }
    await serve(placeOf('docs/getting-started.md'), 'node.js', env)
    const client = redis.connect()
    await expect.poll(() => client.keys('hub:node:*')).toHaveLength(1)
  })
})

describe('the examples', () => {
  let place: string
  let out: string
  beforeAll(async () => {
    place = join(folder, 'examples')
    await cp(join(PACKAGE, 'examples'), place, { recursive: true })
    // The types of frameworks may have errors of their own.
    expect(await compile(place, { skipLibCheck: true })).toMatchObject({ stdout: '' })
    out = join(place, 'out')
  })

  test('transports, what a hub offers and a client takes', async () => {
    const { url } = await serve(place, 'transports-server.js')
    await expect.poll(() => statusOf(url)).toBe(400)
    const client = join(out, 'transports-client.js')
    const { stdout } = await run(process.execPath, [client], {
      env: { ...process.env, HUB_URL: url },
    })
    expect(stdout).toBe('WebSockets Uint8Array(3) [ 1, 2, 3 ]\nWebSockets AQID\nLongPolling AQID\n')
  })

  test('secured, authentication, permissions and logs', async () => {
    const { url, output } = await serve(place, 'secured.js')
    await expect.poll(() => statusOf(url)).toBe(401)
    const enter = async (name: string) => {
      const connection = connect(url, {
        transport: HttpTransportType.ServerSentEvents,
        accessTokenFactory: () => `${name}:an-open-sesame`,
      })
      await connection.start()
      return connection
    }
    await expect(connect(url, { accessTokenFactory: () => 'ann:guessed' }).start()).rejects.toThrow(
      '401',
    )
    const [ann, bob] = [await enter('ann'), await enter('bob')]
    expect(await ann.invoke('Write', 'a line')).toBe('wrote a line')
    await expect(ann.invoke('Write', '')).rejects.toThrow('argument 1')
    await expect(bob.invoke('Write', 'a line')).rejects.toThrow('unauthorized')
    expect(await bob.invoke('Read')).toBe('anybody may')
    for (const name of ['cid', 'dora', 'eve']) await enter(name)
    await expect(enter('fay')).rejects.toThrow('429')
    expect(await upgrade(url, 'https://other.example')).toContain('403')
    await bob.stop()
    await expect.poll(() => upgrade(url, 'https://app.example')).toBe('open')
    expect(output()).toContain('POST /hub/negotiate\n')
    expect(output()).not.toMatch(/sesame|access_token|id=/)
  })

  test('secured, a connection ends with its token', async () => {
    const { url } = await serve(place, 'secured.js', { TOKEN_MS: '1000' })
    await expect.poll(() => statusOf(url)).toBe(401)
    const connection = connect(url, { accessTokenFactory: () => 'ann:an-open-sesame' })
    const ended = new Promise((resolve) => connection.onclose(resolve))
    await connection.start()
    expect(await ended).toBeUndefined()
  })

  test.each([
    ['single', 'REDIS_URL', 'redis://'],
    ['sentinel', 'REDIS_SENTINELS', ''],
    ['cluster', 'REDIS_CLUSTER', ''],
  ] as const)('two nodes over Redis: %s', { timeout: 120_000 }, async (kind, name, scheme) => {
    const redis = await startRedisServers(kind)
    closing.push(() => redis.close())
    const env = { [name]: scheme + redis.places.join() }
    const nodes = [
      await serve(place, 'redis-node.js', env),
      await serve(place, 'redis-node.js', env),
    ]
    const received: string[] = []
    const people = []
    for (const [place, { url }] of nodes.entries()) {
      const health = new URL('/', url)
      const hears = async () => (await fetch(health)).text()
      await expect.poll(() => hears().catch(() => ''), { timeout: 60_000 }).toContain('true')
      const connection = connect(url, {})
      connection.on('Said', (text: string) => received.push(`${place} ${text}`))
      await connection.start()
      await connection.invoke('Enter', 'hall')
      people.push(connection)
    }
    await people[0]?.invoke('Say', 'hall', 'hello')
    await expect.poll(() => received.toSorted()).toEqual(['0 hello', '1 hello'])
    // Without sticky sessions: negotiates at one node and polls at the other.
    const [here = '', there = ''] = nodes.map(({ url }) => url)
    const { own } = await negotiate(here)
    expect(await statusOf(own.replace(here, there))).toBe(200)
    for (const connection of people) await connection.stop()
    for (const { child } of nodes) {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      expect(await exit).toEqual([0, null])
    }
  })

  describe.each(['http', 'express', 'fastify', 'hono', 'koa'])('mounted on %s', (name) => {
    let url: string
    beforeAll(async () => {
      const server = spawn(process.execPath, [join(out, 'serve.js'), name, '0'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      closing.push(async () => {
        if (server.exitCode === null && server.kill()) await once(server, 'exit')
      })
      const [line] = (await once(createInterface(server.stdout), 'line')) as [string]
      url = line
    })

    test.each(TRANSPORTS)('a client uses the hub over %s', async (_name, transport) => {
      const connection = connect(`${url}/hub`, { transport })
      const received: unknown[] = []
      connection.on('Said', (text) => received.push(text))
      await connection.start()
      expect(await connection.invoke('Add', 20, 22)).toBe(42)
      expect(await collect(connection, 'Count', 3)).toEqual([1, 2, 3])
      await connection.invoke('Say', 'hello')
      await expect.poll(() => received).toEqual(['hello'])
      await connection.stop()
    })

    test('other responses of the server do not change', async () => {
      const answer = await fetch(url)
      expect([answer.status, await answer.text()]).toEqual([200, 'Hello.'])
      const asked = await fetch(`${url}/hub/negotiate`, {
        method: 'OPTIONS',
        headers: { origin: 'http://friend.example', 'access-control-request-method': 'POST' },
      })
      expect(asked.status).toBe(204)
      expect(asked.headers.get('access-control-allow-origin')).toBe('http://friend.example')
      const elsewhere = connect(`${url}/elsewhere`, {
        transport: HttpTransportType.WebSockets,
        skipNegotiation: true,
      })
      await expect(elsewhere.start()).rejects.toThrow()
    })
  })
})

/** Starts a compiled program in a folder until the end of the tests. */
async function serve(place: string, name: string, more: object = {}) {
  const port = await findPort()
  const child = spawn(process.execPath, [join(place, 'out', name)], {
    env: { ...process.env, HUB_SECRET: 'a secret', PORT: String(port), ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (data: Buffer) => (text += data.toString('utf8')))
  closing.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  })
  return { url: `http://127.0.0.1:${port}/hub`, child, output: () => text }
}

/** Returns null while nothing listens there. */
const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => null,
  )

/** Returns the response to a WebSocket from a page of this origin. */
function upgrade(url: string, origin: string): Promise<string> {
  return new Promise((resolve) => {
    const headers = { authorization: 'Bearer ann:an-open-sesame' }
    const socket = new WebSocket(url.replace('http', 'ws'), { origin, headers })
    socket.on('open', () => {
      socket.close()
      socket.on('close', () => resolve('open'))
    })
    socket.on('error', (error) => resolve(error.message))
  })
}

function connect(url: string, options: IHttpConnectionOptions) {
  const connection = buildClient(url, options).build()
  closing.push(() => connection.stop())
  return connection
}

/** Returns a port that was free a moment ago. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
