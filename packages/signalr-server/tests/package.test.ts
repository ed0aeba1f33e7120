/** What is published: packed, put into an empty folder, type-checked and run there as its pages and examples say. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import {
  HttpTransportType,
  HubConnectionBuilder,
  LogLevel,
  Subject,
  type IHttpConnectionOptions,
} from '@microsoft/signalr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const PACKAGE = dirname(import.meta.dirname)
const MODULES = join(PACKAGE, '..', '..', 'node_modules')
const TSC = join(MODULES, 'typescript', 'bin', 'tsc')
/** What its users have beside it. They come from here: no registry is asked. */
const NEIGHBOURS = [
  '@hono/node-server',
  '@opentelemetry/api',
  '@types/express',
  '@types/koa',
  '@types/node',
  'express',
  'fastify',
  'hono',
  'koa',
  'prom-client',
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
  // The build speaks before the list.
  const listing = /^[[{][^]*/m.exec(stdout)?.[0] ?? ''
  const told = JSON.parse(listing) as unknown
  const [pack] = Object.values(told as Record<string, Pack>)
  packed = pack?.files.map(({ path }) => path) ?? []
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'somebody', private: true, type: 'module' }),
  )
  // What it depends on is installed with it.
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

/** What each says of a package that it has looked at. */
const PACKED: Readonly<Record<string, string>> = {
  publint: 'All good!',
  attw: 'signalr-hub-server/redis',
}

interface Pack {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

test('only what runs, its types and its words are packed', () => {
  const kinds = new Set(packed.map((path) => path.replace(/^dist\/.*?(\.d\.ts|\.js)$/, 'dist/*$1')))
  expect([...kinds].toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist/*.d.ts',
    'dist/*.js',
    'package.json',
  ])
})

test.each([
  ['publint', ['run', '--strict']],
  ['attw', ['--profile', 'esm-only', '--format', 'ascii']],
])('%s finds nothing wrong in what is packed', async (name, words) => {
  const command = join(MODULES, '.bin', name)
  // A fault ends it with a code of its own, and what it printed is in the error.
  const checked = await run(command, [...words, tarball]).catch((error: unknown) => error)
  expect(checked).not.toBeInstanceOf(Error)
  expect(checked).toMatchObject({ stdout: expect.stringContaining(PACKED[name] ?? '') as string })
})

/** Type-checks the files below a folder and writes what they become to `out` below it. Gives what the compiler says. */
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

test('the example of the README type-checks under strict, and runs', async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8')
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? []
  const place = join(folder, 'readme')
  await mkdir(place)
  await writeFile(join(place, 'example.ts'), example)
  expect(await compile(place)).toMatchObject({ stdout: '' })

  const port = await findPort()
  const server = spawn(process.execPath, [join(place, 'out', 'example.js')], {
    env: { ...process.env, HUB_SECRET: 'a secret', PORT: String(port) },
    stdio: 'inherit',
  })
  closing.push(async () => {
    server.kill()
    await once(server, 'exit')
  })
  const url = `http://127.0.0.1:${port}/hub`
  await expect
    .poll(() =>
      fetch(url).then(
        ({ status }) => status,
        () => null,
      ),
    )
    .toBe(401)
  const connection = connect(url, { accessTokenFactory: () => 'ann' })
  const said = new Promise((resolve) =>
    connection.on('Said', (name, text) => resolve([name, text])),
  )
  connection.on('Answer', () => 42)
  await connection.start()
  await connection.invoke('Enter', 'hall')
  await connection.invoke('Say', 'hall', 'hello')
  expect(await said).toEqual(['ann', 'hello'])
  await expect(connection.invoke('Say', 'hall', 1)).rejects.toThrow('HubException: Say what?')
  expect(await connection.invoke('Ask')).toBe(42)
  const numbers = new Subject<number>()
  const sum = connection.invoke('Sum', numbers)
  for (const number of [1, 2, 3]) numbers.next(number)
  numbers.complete()
  expect(await sum).toBe(6)
  expect(await collect(connection, 'Count', 3)).toEqual([1, 2, 3])
})

describe('the examples', () => {
  let out: string
  beforeAll(async () => {
    const place = join(folder, 'examples')
    await cp(join(PACKAGE, 'examples'), place, { recursive: true })
    // The types of frameworks are their authors' business.
    expect(await compile(place, { skipLibCheck: true })).toMatchObject({ stdout: '' })
    out = join(place, 'out')
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

    test.each(['WebSockets', 'ServerSentEvents', 'LongPolling'] as const)(
      'a hub is spoken to over %s',
      async (transport) => {
        const connection = connect(`${url}/hub`, { transport: HttpTransportType[transport] })
        const heard: unknown[] = []
        connection.on('Said', (text) => heard.push(text))
        await connection.start()
        expect(await connection.invoke('Add', 20, 22)).toBe(42)
        expect(await collect(connection, 'Count', 3)).toEqual([1, 2, 3])
        await connection.invoke('Say', 'hello')
        await expect.poll(() => heard).toEqual(['hello'])
        await connection.stop()
      },
    )

    test('what else the server answers stays as it is', async () => {
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

function connect(url: string, options: IHttpConnectionOptions) {
  const connection = new HubConnectionBuilder()
    .withUrl(url, options)
    .configureLogging(LogLevel.None)
    .build()
  closing.push(() => connection.stop())
  return connection
}

function collect(
  connection: ReturnType<typeof connect>,
  method: string,
  ...parameters: unknown[]
): Promise<unknown[]> {
  const items: unknown[] = []
  return new Promise((resolve, reject) => {
    connection.stream(method, ...parameters).subscribe({
      next: (item) => items.push(item),
      complete: () => resolve(items),
      error: reject,
    })
  })
}

/** A port that was free a moment ago. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
