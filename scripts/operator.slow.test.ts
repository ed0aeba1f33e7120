/** Runs the commands of docs/operations.md in a new clone. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findTestPort } from '#server/testing/port.ts'
import { removeDataDir } from '#server/testing/product.ts'

const run = promisify(execFile)
/** Where the document puts archives and the new installation. */
const ITS_PLACE = '/srv/'
/** Timeouts for one command on a busy machine, and for the whole test, in ms. */
const LINE_MS = 120_000
const LIMIT_MS = 400_000

let folder: string
let clone: string
/** The text of the document in the clone. */
let text: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-operator-'))
  // As root the database runs as another user, who needs access to the folder.
  await chmod(folder, 0o755)
  clone = join(folder, 'knowledge-bazaar')
  await run('git', ['clone', '--quiet', '--depth', '1', `file://${process.cwd()}`, clone])
  // Provides the packages and the build that an earlier `npm start` would have left. A build is only used if it
  // matches the sources.
  await linkPackages()
  if (existsSync('dist')) await takeBuild()
  await mkdir(join(folder, 'srv', 'backups'), { recursive: true })
  text = await readFile(join(clone, 'docs', 'operations.md'), 'utf8')
}, LIMIT_MS)
afterAll(() => removeDataDir(folder))

/** Copies the packages as hard links if possible. A symbolic link would make bundlers treat them as sources. */
async function linkPackages(): Promise<void> {
  const ours = join(process.cwd(), 'node_modules')
  const theirs = join(clone, 'node_modules')
  await run('cp', ['-al', ours, theirs]).catch(async () => {
    await rm(theirs, { recursive: true, force: true })
    await cp(ours, theirs, { recursive: true, verbatimSymlinks: true })
  })
  await rm(join(theirs, '.cache'), { recursive: true, force: true })
}

async function takeBuild(): Promise<void> {
  for (const pointer of ['current', 'current-server']) {
    const name = (await readFile(join('dist', pointer), 'utf8')).trim()
    for (const path of [name, pointer])
      await cp(join('dist', path), join(clone, 'dist', path), { recursive: true })
  }
}

/** Returns the only line of the document that begins with the text, without its comment and with our paths. */
function lineOf(beginning: string): string {
  const lines = text.split('\n').filter((line) => line.startsWith(beginning))
  expect(lines).toHaveLength(1)
  return (lines[0] ?? '').replace(/ +#.*$/, '').replaceAll(ITS_PLACE, join(folder, 'srv', '/'))
}

/** Returns a command inside a sentence. */
function commandOf(words: string): string {
  expect(text).toContain(`\`${words}\``)
  return words
}

/** A shell with no settings except those that the document sets. */
const shell = (settings: Readonly<Record<string, string>>) => ({
  cwd: clone,
  env: { PATH: outerPath(), HOME: folder, LANG: 'C.UTF-8', ...settings },
})

/** Returns PATH without the entries that npm added for this run. */
function outerPath(): string {
  const folders = (process.env['PATH'] ?? '').split(':')
  return folders.filter((one) => !one.endsWith('node_modules/.bin')).join(':')
}

/** Runs a command and waits for its end. */
async function type(line: string, settings: Readonly<Record<string, string>> = {}) {
  const typed = run('sh', ['-c', line], { ...shell(settings), timeout: LINE_MS })
  return typed.then(
    ({ stdout }) => ({ code: 0, said: stdout.trimEnd().split('\n') }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      said: `${stdout}\n${stderr}`.split('\n'),
    }),
  )
}

/** Runs the command that starts the site. Returns its address, and a function that presses Ctrl-C. */
async function start(line: string, settings: Readonly<Record<string, string>>) {
  // Runs in its own process group, so that Ctrl-C reaches all of its processes as in a terminal.
  const typed = spawn('sh', ['-c', line], {
    ...shell({ PORT: `${await findTestPort()}`, METRICS_PORT: '0', ...settings }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  const closed = once(typed, 'close')
  const pressCtrlC = async () => {
    if (typed.exitCode === null && typed.pid !== undefined) process.kill(-typed.pid, 'SIGINT')
    await closed
  }
  const opened = new Promise<string>((resolve, reject) => {
    for (const stream of [typed.stdout, typed.stderr])
      createInterface({ input: stream }).on('line', (word) => {
        output.push(word)
        if (word === 'Ctrl-C stops it.')
          resolve(/is open: (\S+)/.exec(output.join('\n'))?.[1] ?? 'it says no address')
      })
    void closed.then(() => reject(new Error(`it ended:\n${output.join('\n')}`)))
  })
  return { url: await opened, pressCtrlC }
}

/** Returns the titles on the page. After a first start these are the demo's. */
async function titlesAt(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/lesson/all`)
  const lessons = (await answer.json()) as readonly { readonly title: string }[]
  return lessons.map(({ title }) => title).toSorted()
}

test.runIf(existsSync('.git'))(
  'a new operator can start, back up, verify, restore, audit and diagnose with its commands',
  async () => {
    let titles: string[]
    const site = await start(commandOf('npm start'), {})
    try {
      titles = await titlesAt(site.url)
      expect(titles.length).toBeGreaterThan(0)
      const made = await type(lineOf('npm run backup -- /'))
      expect(made).toMatchObject({ code: 0 })
      expect(made.said.at(-1)).toMatch(/^✓ /)
      const proved = await type(lineOf('npm run backup -- --verify'))
      expect(proved).toMatchObject({ code: 0 })
      expect(proved.said.at(-1)).toMatch(/all in it is well/)
      const audited = await type(commandOf('npm run audit'))
      expect(audited).toMatchObject({ code: 0 })
      expect(audited.said.at(-1)).toMatch(/^✓ All is well /)
    } finally {
      await site.pressCtrlC()
    }

    const line = lineOf('DATA_DIR=/srv/')
    const restored = await type(line)
    expect(restored).toMatchObject({ code: 0 })
    expect(restored.said.at(-1)).toBe('✓ The audit found all well.')
    const DATA_DIR = /^DATA_DIR=(\S+) npm run restore /.exec(line)?.[1] ?? ''
    const second = await start(commandOf('npm start'), { DATA_DIR })
    onTestFinished(() => second.pressCtrlC())
    const examined = await type(commandOf('npm run doctor'), { DATA_DIR })
    expect(examined).toMatchObject({ code: 0 })
    expect(examined.said.at(-1)).toMatch(/^Nothing is wrong/)
    expect(await titlesAt(second.url)).toEqual(titles)
  },
  LIMIT_MS,
)
