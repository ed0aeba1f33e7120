/** Steps of `npm run setup` that fail leave a machine as it was, and are not right afterwards. */
import type { SpawnSyncOptions } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMachine, runSteps } from '#scripts/setup/machine.mjs'
import { CURRENT, installFiles } from '#scripts/setup/program.mjs'
import { SETTINGS } from '#scripts/setup/settings.mjs'
import { listSteps, type Answers } from '#scripts/setup/steps.mjs'
import { makeTestFolder } from '#server/testing/folder.ts'

const NGINX = '/etc/nginx/conf.d/knowledge-bazaar.conf'
const CADDY = '/etc/caddy/knowledge-bazaar.caddy'
const CADDYFILE = '/etc/caddy/Caddyfile'
const ANSWERS: Answers = {
  domain: 'bazaar.test',
  smtp: 'none',
  from: 'hello@bazaar.test',
  owner: 'ann@mail.test',
  administrator: null,
  proxy: 'nginx',
  certificate: null,
}

let root: string
/** Words of the commands that fail. */
let failing: string
let ran: string[]
beforeEach(async () => {
  root = await makeTestFolder()
  failing = ''
  ran = []
  // The progress of the steps.
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockReturnValue(true)
})
afterEach(() => vi.restoreAllMocks())

function open() {
  const fails = (command: string, args: string[]) => {
    const line = [command, ...args].join(' ')
    ran.push(line)
    return failing !== '' && line.includes(failing)
  }
  return {
    ...createMachine(root),
    run: (command: string, args: string[]) => {
      if (fails(command, args)) throw new Error(`${failing} failed`)
      return ''
    },
    succeeds: (command: string, args: string[]) => !fails(command, args),
  }
}
const setUp = (answers: Partial<Answers> = {}) =>
  runSteps(listSteps(open(), { ...ANSWERS, ...answers }), false)

test('what the operator has changed stays, and an answer is written', async () => {
  await setUp()
  const machine = open()
  const changed = machine
    .read(SETTINGS)
    .replace("TRUST_PROXY='1'", 'TRUST_PROXY=2')
    .replace("DRAIN_SECONDS='0'", 'DRAIN_SECONDS=5')
    .replace("DEMO='0'", 'DEMO=1')
    .replace("PUBLIC_URL='https://bazaar.test'", 'PUBLIC_URL=https://bazaar.test:8443')
  machine.write(SETTINGS, changed)
  await setUp()
  expect(machine.read(SETTINGS)).toBe(changed)
  await setUp({ domain: 'other.test', smtp: 'smtp://mail.test' })
  expect(machine.read(SETTINGS)).toBe(
    `${changed.replace('PUBLIC_URL=https://bazaar.test:8443', "PUBLIC_URL='https://other.test'")}SMTP_URL='smtp://mail.test'\n`,
  )
  await setUp({ domain: 'other.test' })
  expect(machine.read(SETTINGS)).toContain("SMTP_URL=''\n")
})

test('units that could not be enabled or started are not right', async () => {
  await setUp()
  for (const word of ['is-enabled --quiet knowledge-bazaar.service', 'is-active']) {
    failing = word
    ran = []
    await setUp().catch(() => undefined)
    expect(ran).toContain('systemctl enable --now knowledge-bazaar.socket')
  }
})

test.each([
  ['certbot certonly', 'a certificate that is refused'],
  ['nginx -t', 'a configuration that nginx refuses'],
  ['reload-or-restart nginx', 'a reload that fails'],
])('%s: after %s the former site of nginx stays, or none', async (words) => {
  failing = words
  await expect(setUp()).rejects.toThrow(failing)
  expect(existsSync(join(root, NGINX))).toBe(false)
  open().write(NGINX, 'former')
  await expect(setUp()).rejects.toThrow(failing)
  expect(open().read(NGINX)).toBe('former')
  expect(ran.at(-1)).toMatch(/^nginx -t|reload-or-restart nginx$/)
})

test('after a reload of Caddy that fails, its files are as they were', async () => {
  const machine = open()
  machine.write(CADDYFILE, '# ours\n# import /etc/caddy/knowledge-bazaar.caddy\n', 0o640)
  const former = machine.read(CADDYFILE)
  failing = 'reload-or-restart caddy'
  await expect(setUp({ proxy: 'caddy' })).rejects.toThrow(failing)
  expect([machine.read(CADDYFILE), machine.isThere(CADDY)]).toEqual([former, false])
  failing = ''
  await setUp({ proxy: 'caddy' })
  expect(machine.read(CADDYFILE)).toBe(`${former}\nimport ${CADDY}\n`)
  expect([machine.modeOf(CADDYFILE), machine.isThere(CADDY)]).toEqual([0o640, true])
})

test('another archive with the same number is another version; the same one is installed once', () => {
  const files = join(root, 'files')
  mkdirSync(join(files, 'node_modules'), { recursive: true })
  writeFileSync(join(files, 'package.json'), '{"version":"1.2.3"}')
  const machine = {
    ...open(),
    run: (command: string, _: string[], options: SpawnSyncOptions = {}) => {
      if (command === 'chmod') return ''
      const cwd = String(options.cwd)
      ran.push(cwd)
      mkdirSync(join(cwd, 'node_modules/.cache/bazaar'), { recursive: true })
      writeFileSync(join(cwd, 'node_modules/.cache/bazaar/installed'), '')
      return ''
    },
  }
  const first = installFiles(machine, files)
  expect(first).toMatch(/\/releases\/1\.2\.3-[0-9a-f]{12}$/)
  const copy = join(root, 'copy')
  cpSync(files, copy, { recursive: true })
  expect(installFiles(machine, copy)).toBe(first)
  expect(ran).toHaveLength(1)
  writeFileSync(join(copy, 'more.txt'), 'more')
  expect(installFiles(machine, copy)).not.toBe(first)
  expect(existsSync(`${first}/package.json`)).toBe(true)
  expect(existsSync(join(root, CURRENT))).toBe(false)
})
