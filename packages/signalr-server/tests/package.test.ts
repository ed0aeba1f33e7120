/** What is published: packed, put into an empty folder, type-checked and run there as the README says. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { HubConnectionBuilder, LogLevel, Subject } from '@microsoft/signalr'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const PACKAGE = dirname(import.meta.dirname)
const MODULES = join(PACKAGE, '..', '..', 'node_modules')
const TSC = join(MODULES, 'typescript', 'bin', 'tsc')
const closing: (() => unknown)[] = []
let folder: string
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
  // What it depends on comes from here: no registry is asked.
  const needs = ['ws', '@msgpack/msgpack'].map((name) => join(MODULES, name))
  const from = join(folder, pack?.filename ?? '')
  await run(
    'npm',
    ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', from, ...needs],
    {
      cwd: folder,
    },
  )
  await mkdir(join(folder, 'node_modules', '@types'), { recursive: true })
  await symlink(join(MODULES, '@types', 'node'), join(folder, 'node_modules', '@types', 'node'))
})
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

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

test('the example of the README type-checks under strict, and runs', async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8')
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? []
  await writeFile(join(folder, 'example.ts'), example)
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
    outDir: 'out',
  }
  const settings = { compilerOptions, files: ['example.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const checked = await run(process.execPath, [TSC, '-p', folder]).catch((error: unknown) => error)
  expect(checked).toMatchObject({ stdout: '' })

  const port = await findPort()
  const server = spawn(process.execPath, [join(folder, 'out', 'example.js')], {
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
  const connection = new HubConnectionBuilder()
    .withUrl(url, { accessTokenFactory: () => 'ann' })
    .configureLogging(LogLevel.None)
    .build()
  closing.push(() => connection.stop())
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
  const counted: number[] = []
  await new Promise<void>((resolve, reject) => {
    connection.stream<number>('Count', 3).subscribe({
      next: (number) => counted.push(number),
      complete: resolve,
      error: reject,
    })
  })
  expect(counted).toEqual([1, 2, 3])
})

/** A port that was free a moment ago. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
