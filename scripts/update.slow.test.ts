/** Changes from version to version on the socket that a supervisor holds, under load: good ones and broken ones. */
import { execFileSync, spawn, spawnSync, type SpawnSyncOptions } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { chmod } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { changeOver, finishInterrupted } from '#scripts/setup/changing.mjs'
import { createMachine } from '#scripts/setup/machine.mjs'
import { CURRENT, DATA } from '#scripts/setup/program.mjs'
import { SETTINGS } from '#scripts/setup/settings.mjs'
import { makeTestFolder } from '#server/testing/folder.ts'
import { findTestPort } from '#server/testing/port.ts'
import { canMount, mountSmallDisk } from '#server/testing/small-disk.ts'

const LIMIT_MS = 240_000
const folder = await makeTestFolder()
const root = join(folder, 'root')
/** Of the data only. Where none can be mounted, the test that fills it is skipped. */
const disk = canMount ? await mountSmallDisk(512) : null
const dataDir = disk?.folder ?? join(root, DATA)
/** What npm run update leaves if it is killed while it replaces the server. */
const FORMER = '/opt/knowledge-bazaar/former'

/** Makes a version of hard links to this one. */
function makeVersion(version: string, change: (path: string) => void = () => undefined): string {
  const path = join(folder, version)
  mkdirSync(path)
  const parts = ['server', 'contract', 'packages', 'scripts', 'dist', 'node_modules']
  execFileSync('cp', ['-al', ...parts, path])
  const text = readFileSync('package.json', 'utf8')
  writeFileSync(
    join(path, 'package.json'),
    text.replace(/"version": ".*?"/, `"version": "${version}"`),
  )
  change(path)
  return path
}

/** Replaces a file without changing the one that it is a link to. */
function replaceFile(path: string, text: string): void {
  rmSync(path, { force: true })
  writeFileSync(path, text)
}

const migration = (path: string, name: string) =>
  join(path, 'server', 'platform', 'db', 'migrations', name)

let pid = 0
let address = ''
let end = () => {}
/** Called before the next migration. */
let beforeMigration = () => {}

/** Does nothing between two servers. */
function signal(name: NodeJS.Signals): void {
  try {
    // 0 would be this process and its siblings.
    if (pid > 0) process.kill(pid, name)
  } catch {
    // It has ended by itself.
  }
}
const machine = {
  ...createMachine(root),
  run: (command: string, args: string[], options: SpawnSyncOptions = {}) => {
    if (command === 'install') mkdirSync(join(root, args.at(-1) ?? ''), { recursive: true })
    else if (command === 'systemctl') signal('SIGTERM')
    else if (command === 'runuser') {
      if (args.includes('migrate')) beforeMigration()
      const [node = '', ...words] = args.slice(3)
      const env = { ...options.env, DATA_DIR: dataDir, TMPDIR: folder }
      const done = spawnSync(node, words, { cwd: options.cwd, env, encoding: 'utf8' })
      if (done.status !== 0) throw new Error(done.stderr)
    } else throw new Error(`${command} is not there`)
    return ''
  },
}

/** Holds a listening socket and starts the current version on it whenever one ends, as systemd does. */
async function supervise(): Promise<void> {
  const holder = createServer()
  holder.listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { _handle: handle } = holder as unknown as { _handle: { fd: number } }
  const given = holder.address()
  const port = typeof given === 'object' && given !== null ? given.port : 0
  address = `http://127.0.0.1:${port}`
  const server = `set -a; . ${join(root, SETTINGS)}; cd ${join(root, CURRENT)}; echo "pid $$"; LISTEN_PID=$$ exec node_modules/.bin/node scripts/serve.mjs`
  const shell = spawn('sh', ['-c', `while :; do sh -c '${server}'; sleep 0.2; done`], {
    env: {
      PATH: process.env['PATH'],
      LISTEN_FDS: '1',
      METRICS_PORT: '0',
      PORT: `${port}`,
      DATA_DIR: dataDir,
      DEMO: '0',
      DRAIN_SECONDS: '0',
      RATE_LIMITS: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit', handle.fd],
  })
  // The shell has it now, and this process must not accept connections.
  holder.close()
  createInterface({ input: shell.stdout ?? process.stdin }).on('line', (line) => {
    if (line.startsWith('pid ')) pid = Number(line.slice(4))
  })
  end = () => {
    shell.kill('SIGKILL')
    signal('SIGINT')
  }
}

const versionAt = async () =>
  fetch(`${address}/healthz`).then(
    async (answer) => ((await answer.json()) as { version: string }).version,
    () => 'none',
  )

const former = existsSync('dist/current-server') ? makeVersion('1.0.0') : ''
beforeAll(async () => {
  await chmod(folder, 0o755)
  mkdirSync(dataDir, { recursive: true })
  if (disk !== null) {
    mkdirSync(dirname(join(root, DATA)), { recursive: true })
    symlinkSync(disk.folder, join(root, DATA))
  }
  machine.write(SETTINGS, "PUBLIC_URL='https://bazaar.test'\n", 0o600)
  machine.link(CURRENT, former)
  await supervise()
  await vi.waitFor(async () => expect(await versionAt()).toBe('1.0.0'), {
    timeout: 60_000,
    interval: 100,
  })
}, LIMIT_MS)
afterAll(async () => {
  end()
  await disk?.end()
})

/** Asks for a page again and again during `work`. Returns the statuses. */
async function underLoad(work: () => Promise<unknown>): Promise<string[]> {
  const statuses = new Set<string>()
  let isEnding = false
  const load = Array.from({ length: 3 }, async () => {
    while (!isEnding)
      statuses.add(await fetch(`${address}/lesson/all`).then(({ status }) => `${status}`, String))
  })
  await work().finally(() => (isEnding = true))
  await Promise.all(load)
  return [...statuses]
}

const change = async (next: string) =>
  changeOver(machine, { former, next, port: await findTestPort(), address })

test(
  'a version that does not start is not used',
  async () => {
    const next = makeVersion('1.0.1', (path) =>
      replaceFile(join(path, 'scripts', 'serve.mjs'), "throw new Error('a broken release')"),
    )
    const work = async () => {
      await expect(change(next)).rejects.toThrow(
        /does not start \(it ended\):[^]*a broken release[^]*The former version serves as before/,
      )
    }
    expect(await underLoad(work)).toEqual(['200'])
    expect(await versionAt()).toBe('1.0.0')
  },
  LIMIT_MS,
)

test(
  'a version whose migration fails is not used',
  async () => {
    const next = makeVersion('1.0.2', (path) =>
      writeFileSync(migration(path, '9001_bad.sql'), 'alter table no_such_table add column x int;'),
    )
    await expect(change(next)).rejects.toThrow(
      /no_such_table[^]*The former version serves as before/,
    )
    expect(await versionAt()).toBe('1.0.0')
  },
  LIMIT_MS,
)

test.runIf(disk !== null)(
  'on a full disk the former version goes on, and the reason is printed',
  async () => {
    const next = makeVersion('1.0.3', (path) =>
      writeFileSync(migration(path, '9002_tomorrow.sql'), 'create table of_tomorrow (id bigint);'),
    )
    const full = async () => {
      await disk?.fill()
      await expect(change(next)).rejects.toThrow(
        /was not used[^]*(?:No space left|disk[^]* full)[^]*The former version serves as before/,
      )
      await disk?.free()
      // It becomes full only while the backup is made.
      beforeMigration = () =>
        spawnSync('dd', ['if=/dev/zero', 'bs=4k', `of=${join(dataDir, 'filler')}`])
      await expect(change(next)).rejects.toThrow(
        /could not be migrated[^]*disk[^]* full[^]*The former version serves as before/,
      )
      await disk?.free()
      beforeMigration = () => {}
    }
    expect(await underLoad(full)).toEqual(['200'])
    expect(await versionAt()).toBe('1.0.0')
  },
  LIMIT_MS,
)

test(
  'a version with a migration replaces the former one, and no request fails',
  async () => {
    const next = makeVersion('1.1.0', (path) =>
      writeFileSync(migration(path, '9002_tomorrow.sql'), 'create table of_tomorrow (id bigint);'),
    )
    expect(await underLoad(() => change(next))).toEqual(['200'])
    expect(await versionAt()).toBe('1.1.0')
    expect(existsSync(join(dataDir, 'backups', 'before-migration'))).toBe(true)
    expect(machine.read(SETTINGS)).toContain("NEWER_SCHEMA='refused'")
    expect(machine.isThere(FORMER)).toBe(false)
  },
  LIMIT_MS,
)

test(
  'an update that was killed before the server was replaced is finished by the next one',
  async () => {
    const next = makeVersion('1.1.1', (path) =>
      writeFileSync(migration(path, '9002_tomorrow.sql'), 'create table of_tomorrow (id bigint);'),
    )
    machine.link(FORMER, join(folder, '1.1.0'))
    machine.link(CURRENT, next)
    expect(await underLoad(() => finishInterrupted(machine, { address }))).toEqual(['200'])
    expect(await versionAt()).toBe('1.1.1')
    expect(machine.isThere(FORMER)).toBe(false)
  },
  LIMIT_MS,
)

test(
  'a version that fails only with the real settings is replaced by the former one, on the newer schema',
  async () => {
    const next = makeVersion('1.2.0', (path) => {
      writeFileSync(migration(path, '9003_later.sql'), 'create table of_later (id bigint);')
      writeFileSync(migration(path, '9002_tomorrow.sql'), 'create table of_tomorrow (id bigint);')
      const file = join(path, 'scripts', 'serve.mjs')
      const text = readFileSync(file, 'utf8')
      replaceFile(
        file,
        `import process from 'node:process'\nif (process.env.PUBLIC_URL) process.exit(1)\n${text.replace("import process from 'node:process'", '')}`,
      )
    })
    const running = join(folder, '1.1.1')
    const work = async () => {
      const port = await findTestPort()
      await expect(
        changeOver(machine, { former: running, next, port, address, patienceMs: 5000 }),
      ).rejects.toThrow(/The new version did not work[^]*The former version serves as before/)
    }
    expect(await underLoad(work)).toEqual(['200'])
    expect(await versionAt()).toBe('1.1.1')
    expect(machine.read(SETTINGS)).toContain("NEWER_SCHEMA='accepted'")

    // The same update, killed before it was proved.
    machine.link(FORMER, running)
    machine.link(CURRENT, next)
    await expect(finishInterrupted(machine, { address, patienceMs: 5000 })).rejects.toThrow(
      /did not work[^]*The former version serves as before/,
    )
    expect(await versionAt()).toBe('1.1.1')
    expect(readlinkSync(join(root, CURRENT))).toBe(running)
  },
  LIMIT_MS,
)
