/** What `npm run setup` writes: right files, no change by a second run, and a site by TLS whose server is replaced. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { makeTestFolder } from '#server/testing/folder.ts'
import { spawnNginx } from '#server/testing/nginx.ts'
import { findTestPort } from '#server/testing/port.ts'

const run = promisify(execFile)
const folder = await makeTestFolder()
await chmod(folder, 0o755)
const root = join(folder, 'root')
const DOMAIN = 'bazaar.test'
const ANSWERS = ['--domain', DOMAIN, '--smtp', 'smtp://u:p%27w@mail.test:587']
const ADMIN = ['--admin', 'ann ann@mail.test']

const setUp = (...words: readonly string[]) =>
  run(process.execPath, ['scripts/setup.mjs', '--root', root, ...words]).then(
    ({ stdout }) => stdout,
    ({ stderr }: { stderr: string }) => stderr,
  )

/** Makes a certificate for the domain by an authority of its own. */
async function makeCertificate() {
  const file = (name: string) => join(folder, name)
  const shell = `openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=Authority -keyout ca.key -out ca.pem &&
    openssl req -newkey rsa:2048 -nodes -subj /CN=${DOMAIN} -keyout site.key -out site.csr &&
    echo subjectAltName=DNS:${DOMAIN} > names &&
    openssl x509 -req -in site.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out site.pem`
  await run('sh', ['-c', shell], { cwd: folder })
  return {
    ca: await readFile(file('ca.pem')),
    certificate: file('site.pem'),
    key: file('site.key'),
  }
}
const { ca, certificate, key } = await makeCertificate()
const OWN = ['--proxy', 'nginx', '--certificate', certificate, '--key', key]

test.each([
  ['a wrong domain', ['--domain', 'no domain'], /is not a domain/],
  ['a wrong mail server', ['--domain', DOMAIN, '--smtp', 'mail.test'], /mail server must be/],
  ['a wrong administrator', [...ANSWERS, '--admin', 'ann'], /not a username of 3 characters/],
  ['a missing answer without a terminal', ANSWERS, /Nobody can be asked here/],
  ['a certificate without its key', [...ANSWERS, ...ADMIN, '--certificate', certificate], /belong/],
  [
    'a wrong sender',
    [...ANSWERS, ...ADMIN, '--from', 'Us <us@mail.test>'],
    /not an e-mail address/,
  ],
  ['an unknown argument', ['--nothing'], /--nothing/],
])('%s is refused, and nothing is written', async (_, words, says) => {
  expect(await setUp(...words)).toMatch(says)
  expect(existsSync(root)).toBe(false)
})

test('it writes settings for root alone, units that systemd accepts, and a command; a second run changes nothing', async () => {
  await mkdir(join(root, 'usr', 'sbin'), { recursive: true })
  await writeFile(join(root, 'usr', 'sbin', 'nginx'), '')
  await setUp(...ANSWERS, ...ADMIN, ...OWN)
  const settings = join(root, 'etc', 'knowledge-bazaar.env')
  expect((await stat(settings)).mode & 0o777).toBe(0o600)
  const text = await readFile(settings, 'utf8')
  expect(text).toContain(`PUBLIC_URL='https://${DOMAIN}'\n`)
  expect(text).toContain("SMTP_URL='smtp://u:p%27w@mail.test:587'\n")
  const units = join(root, 'etc', 'systemd', 'system')
  const verified = await run('systemd-analyze', [
    'verify',
    '--man=no',
    join(units, 'knowledge-bazaar.service'),
    join(units, 'knowledge-bazaar.socket'),
  ]).catch(({ stderr, code }: { stderr: string; code: string }) => ({ stderr, code }))
  // Nothing is installed in /opt here.
  const complaints = (verified.stderr ?? '')
    .split('\n')
    .filter((line) => line.includes('knowledge-bazaar') && !line.includes('is not executable'))
  expect(complaints).toEqual([])

  await appendFile(settings, "SITE_NAME='Ours'\n")
  const before = (await stat(settings)).mtimeMs
  const again = await setUp()
  for (const what of ['program', 'settings', 'command', 'units', 'nginx'])
    expect(again).toMatch(new RegExp(`^= ${what}`, 'm'))
  expect((await stat(settings)).mtimeMs).toBe(before)
  await setUp('--smtp', 'smtp://other.test:25')
  const changed = await readFile(settings, 'utf8')
  expect(changed).toContain("SMTP_URL='smtp://other.test:25'\n")
  expect(changed).toContain("SITE_NAME='Ours'\n")
})

interface Supervised {
  readonly port: number
  /** Ends the server; the next one starts at once. */
  replace(): Promise<void>
  stop(): Promise<void>
}

/** Holds a listening socket and starts the server on it whenever it ends, as systemd does. */
async function supervise(settings: Readonly<Record<string, string>>): Promise<Supervised> {
  const holder = createServer()
  holder.listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { _handle: handle } = holder as unknown as { _handle: { fd: number } }
  const address = holder.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const server = 'echo "pid $$"; LISTEN_PID=$$ exec node_modules/.bin/node server/main.ts'
  const shell = spawn('sh', ['-c', `while :; do sh -c '${server}'; done`], {
    env: { ...process.env, LISTEN_FDS: '1', METRICS_PORT: '0', PORT: `${port}`, ...settings },
    stdio: ['ignore', 'pipe', 'inherit', handle.fd],
  })
  // The shell has it now, and this process must not accept connections.
  holder.close()
  let pid = 0
  let starts = 0
  createInterface({ input: shell.stdout ?? process.stdin }).on('line', (line) => {
    if (line.startsWith('pid ')) pid = Number(line.slice(4))
    if (line.includes('Ctrl-C stops it.')) starts += 1
  })
  const started = (count: number) => expect.poll(() => starts, { timeout: 60_000 }).toBe(count)
  await started(1)
  return {
    port,
    replace: async () => {
      process.kill(pid, 'SIGTERM')
      await started(starts + 1)
    },
    stop: async () => {
      const closed = once(shell, 'close')
      shell.kill('SIGKILL')
      process.kill(pid, 'SIGINT')
      await closed
    },
  }
}

test('through nginx by TLS no request fails while the server is replaced on the socket that systemd holds', async () => {
  const settings = {
    DATA_DIR: join(folder, 'data'),
    PUBLIC_URL: `https://${DOMAIN}`,
    TRUST_PROXY: '1',
    DEMO: '0',
    DRAIN_SECONDS: '0',
    BACKUPS: 'elsewhere',
    RATE_LIMITS: 'off',
  }
  const server = await supervise(settings)
  onTestFinished(() => server.stop())
  const [http, https] = [await findTestPort(), await findTestPort()]
  const site = (await readFile(join(root, 'etc/nginx/conf.d/knowledge-bazaar.conf'), 'utf8'))
    .replaceAll(/^ *listen \[::\].*$/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${http};`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${https} ssl`)
    .replace('127.0.0.1:3000', `127.0.0.1:${server.port}`)
  const nginx = await spawnNginx(folder, site)
  onTestFinished(() => void nginx.kill('SIGQUIT'))
  const ask = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: https,
        path,
        ca,
        servername: DOMAIN,
        headers: { host: DOMAIN },
      }
      request(options, (answer) => {
        answer.resume().once('end', () => resolve(`${answer.statusCode}`))
      })
        .once('error', reject)
        .end()
    })
  await expect.poll(() => ask('/').catch(String), { timeout: 10_000 }).toBe('200')
  const plain = await fetch(`http://127.0.0.1:${http}/`, { redirect: 'manual' })
  expect([plain.status, plain.headers.get('location')]).toEqual([301, 'https://127.0.0.1/'])

  const counts = new Map<string, number>()
  let isEnding = false
  const load = Array.from({ length: 4 }, async () => {
    while (!isEnding) {
      const answer = await ask('/lesson/all').catch((error: unknown) => String(error))
      counts.set(answer, (counts.get(answer) ?? 0) + 1)
    }
  })
  await expect.poll(() => counts.get('200') ?? 0).toBeGreaterThan(20)
  await server.replace()
  const before = counts.get('200') ?? 0
  await expect.poll(() => (counts.get('200') ?? 0) - before).toBeGreaterThan(20)
  isEnding = true
  await Promise.all(load)
  expect([...counts.keys()]).toEqual(['200'])
}, 180_000)
