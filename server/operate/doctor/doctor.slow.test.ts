/** Runs `npm run doctor` against real servers that work, misbehave or don't respond. */
import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { auditStep } from '#server/operate/audit/nightly.ts'
import { TEST_SECRET } from '#server/testing/app.ts'
import { startCollector } from '#server/testing/traces/collector.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { examine, type Diagnosis } from '#server/testing/commands/doctor.ts'
import { migrateLone, startLonePostgres } from '#server/testing/lone-postgres.ts'
import { makeTestFolder } from '#server/testing/folder.ts'
import { makeCertificate } from '#server/testing/redis/kinds.ts'
import { addressOf, ask } from '#server/testing/backup/commands.ts'
import { findTestPort } from '#server/testing/port.ts'
import { startRedis } from '#server/testing/redis/process.ts'
import { startS3 } from '#server/testing/s3/server.ts'
import { makeSmallDisk } from '#server/testing/small-disk.ts'
import { openSmtp } from '#server/testing/mail/smtp.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'

const AUTH = { user: 'bazaar', pass: 'p4ssw0rd-of-the-mails' }

const folder = await makeTestFolder()

/** Listens and passes each connection to `act`. By default it never responds. */
async function listen(
  act: (socket: Socket) => void = () => {},
): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    act(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Returns a program that shifts the clock of its process by some seconds. */
const clockOff = (seconds: number) => `
  const now = Date.now
  globalThis.Date = class extends Date {
    constructor(...of) { of.length === 0 ? super(now() + ${seconds} * 1000) : super(...of) }
    static now() { return now() + ${seconds} * 1000 }
  }`

interface Proxy {
  readonly port: number
  close(): Promise<void>
}

const PASSED = `proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  proxy_set_header X-Forwarded-Proto $scheme;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection "upgrade";`

/** Starts a real nginx. `location` configures all requests; `tls` uses a certificate from its folder. */
async function startNginx(location: string, tls = false): Promise<Proxy> {
  const home = await mkdtemp(join(folder, 'nginx-'))
  const port = await findTestPort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(home, kind)};`)
    .join(' ')
  const files = `ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;`
  const file = join(home, 'nginx.conf')
  await writeFile(
    file,
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${home}/nginx.pid; error_log stderr error;
    events {} http { access_log off; ${temporary}
      server { listen 127.0.0.1:${port}${tls ? ' ssl' : ''}; ${tls ? files : ''} location / { ${location} } } }`,
  )
  const child = spawn('nginx', ['-p', home, '-c', file], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for (let tries = 0; !(await isOpen(port)) && tries < 200; tries += 1) await sleep(30)
  return {
    port,
    close: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const isOpen = async (port: number) => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

/** Checks the first line about each part. */
function expectLines({ of, text }: Diagnosis, lines: Readonly<Record<string, RegExp>>): void {
  for (const [part, says] of Object.entries(lines)) expect(of(part).join('\n'), text).toMatch(says)
}

describe('an installation with everything', async () => {
  await makeCertificate(folder)
  const postgres = await startLonePostgres()
  afterAll(() => postgres.remove())
  const redis = closeAtEnd(await startRedis())
  const s3 = closeAtEnd(await startS3())
  const collector = closeAtEnd(await startCollector())
  const smtp = closeAtEnd(
    await openSmtp({
      authOptional: false,
      hideSTARTTLS: false,
      onAuth: ({ username, password }, _session, answer) =>
        username === AUTH.user && password === AUTH.pass
          ? answer(null, { user: username })
          : answer(new Error('535 Authentication failed')),
      key: await readFile(join(folder, 'key.pem')),
      cert: await readFile(join(folder, 'cert.pem')),
    }),
  )
  await migrateLone(postgres)
  const connection = { connectionString: postgres.url }
  const settings = { TRUST_PROXY: '1', S3_URL: s3.url, REDIS_URL: redis.url }
  const app = await openTestApp(settings, null, { connection })
  const proxy = closeAtEnd(await startNginx(`proxy_pass ${app.url}; ${PASSED}`, true))
  const { signal } = new AbortController()
  const ended = 'select from audit_runs where finished_at is not null'
  while ((await ask(connection, ended)).length === 0) await auditStep(app.app.core, { signal }, 0)
  const environment: Record<string, string> = {
    ...settings,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20key-of-the-collector',
    DATABASE_URL: postgres.url,
    AUTH_SECRETS: TEST_SECRET,
    DATA_DIR: app.dataDir,
    SMTP_URL: `smtp://${AUTH.user}:${AUTH.pass}@127.0.0.1:${smtp.port}`,
    MAIL_FROM: 'hello@bazaar.test',
    OWNER_EMAIL: 'owner@bazaar.test',
    PUBLIC_URL: `https://127.0.0.1:${proxy.port}`,
    NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
  }

  test('passes all checks within ten seconds, and no secret is printed', async () => {
    const found = await examine({ ...environment, SECOND_FACTOR: 'all' })
    const { code, text, ms, wrong, of } = found
    expect([code, wrong], text).toEqual([0, []])
    expect(ms).toBeLessThan(10_000)
    for (const [part, says] of [
      ['configuration', 'every setting can be read'],
      ['AUTH_SECRETS', 'one key'],
      ['DATABASE_URL', 'PostgreSQL 18'],
      ['settings', 'nothing that loses data'],
      ['SECOND_FACTOR', 'demanded of all'],
      ['migrations', 'at this version'],
      ['clock', 'agrees'],
      ['audit', 'all was well at'],
      ['S3_URL', 'can be listed, written, read and cleared'],
      ['REDIS_URL', 'answers after'],
      ['SMTP_URL', 'encrypts, and lets us in'],
      ['traces', 'the collector takes spans'],
      ['PUBLIC_URL', `${environment['PUBLIC_URL']} leads here`],
      ['headers', 'host, protocol and address arrive as they are'],
      ['WebSocket', 'upgrades reach the chat'],
    ] as const)
      expect(of(part)[0], part).toMatch(new RegExp(`^✓ .*${says.replaceAll('.', String.raw`\.`)}`))
    expect(collector.headers['authorization']).toBe('Bearer key-of-the-collector')
    for (const secret of [TEST_SECRET, AUTH.pass, new URL(s3.url).password, 'key-of-the'])
      expect(text).not.toContain(secret)
  })

  test('problems everywhere are reported in a line each, all at once', async () => {
    const secret = 'another-secret-another-secret-another!'
    await ask(
      connection,
      `insert into migrations (name, sha256) values ('9999_later.sql', 'x');
       alter database bazaar set synchronous_commit = off`,
    )
    collector.mood = 401
    const other = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const found = await examine({
      ...environment,
      AUTH_SECRETS: secret,
      S3_URL: Object.assign(new URL(s3.url), { pathname: '/other' }).href,
      REDIS_URL: `redis://127.0.0.1:${other.port}`,
      SMTP_URL: `smtp://${AUTH.user}:wrong-password@127.0.0.1:${smtp.port}`,
      MAIL_FROM: 'hello@knowledge-bazaar.example',
    })
    other.close()
    collector.mood = 'well'
    await ask(
      connection,
      `delete from migrations where name = '9999_later.sql'; alter database bazaar reset synchronous_commit`,
    )
    expect(found.code, found.text).toBe(1)
    expectLines(found, {
      migrations: /^✗ The database has migrations that this version does not know/,
      settings: /^✗ synchronous_commit is off: .* Set synchronous_commit = on\./,
      S3_URL: /^✗ there is no such bucket\. Create it/,
      REDIS_URL: /^✗ .*answers, but not as Redis does/,
      SMTP_URL: /^✗ .*Look at user and password in SMTP_URL/,
      traces: /^✗ .*answers 401\. Give .* in OTEL_EXPORTER_OTLP_HEADERS/,
      MAIL_FROM: /^! is an \.example address/,
      PUBLIC_URL: /^✗ .*is not this installation: .*other AUTH_SECRETS/,
    })
    for (const word of ['wrong-password', secret, new URL(s3.url).password])
      expect(found.text).not.toContain(word)
  })

  test('silent servers cost at most ten seconds, and a line each', async () => {
    const silent = await listen()
    redis.freeze()
    s3.mood = 'silent'
    collector.mood = 'hang'
    const { code, text, ms, of } = await examine({
      ...environment,
      DATABASE_URL: `postgres://ann:hidden@127.0.0.1:${silent.port}/bazaar`,
      SMTP_URL: `smtp://127.0.0.1:${silent.port}`,
      PUBLIC_URL: `http://127.0.0.1:${silent.port}`,
    })
    redis.thaw()
    s3.mood = 'well'
    collector.mood = 'well'
    silent.close()
    expect(code, text).toBe(1)
    for (const part of ['DATABASE_URL', 'S3_URL', 'REDIS_URL', 'SMTP_URL', 'PUBLIC_URL', 'traces'])
      expect(of(part)[0], part).toMatch(/^✗ /)
    expect(ms).toBeLessThan(10_000)
    expect(text).not.toContain('hidden')
  })

  test('a certificate that nobody trusts is named', async () => {
    const { NODE_EXTRA_CA_CERTS: _, ...untrusting } = environment
    expectLines(await examine(untrusting), {
      PUBLIC_URL: /^✗ .*give the proxy a certificate for this name/,
      SMTP_URL: /^✗ .*Use a name that its certificate has/,
    })
  })

  test('invalid indexes and audit findings are reported', async () => {
    await ask(
      connection,
      `update pg_index set indisvalid = false where indexrelid = 'flags_open'::regclass;
       update audit_runs set outcomes = '[{"finding": {"rule": "strayFile", "what": "A file is lost.", "count": 1, "ids": ["x"]}, "gap": null}]'`,
    )
    const found = await examine(environment)
    await ask(
      connection,
      `update pg_index set indisvalid = true where indexrelid = 'flags_open'::regclass;
       update audit_runs set outcomes = '[]'`,
    )
    expect(found.code).toBe(1)
    expectLines(found, {
      indexes: /^✗ Not valid: flags_open\. Make them again: reindex index concurrently NAME$/,
      audit: /^✗ Of .* UTC: A file is lost\. \(1 rules are broken\.\) See npm run audit\./,
    })
  })

  test.each([
    [5, 'ahead of'],
    [-5, 'behind'],
  ])('a clock that is wrong by %d seconds is reported', async (seconds, way) => {
    const { code, of } = await examine({
      ...environment,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clockOff(seconds))}`,
    })
    expect(code).toBe(1)
    expect(of('clock')).toEqual([
      `✗ This machine's clock is 5 seconds ${way} that of the database. Set both by NTP.`,
    ])
  })

  test('missing S3 permissions and a server without encryption are reported', async () => {
    s3.mood = 'read-only'
    const SMTP_URL = `smtp://127.0.0.1:${smtp.port}?ignoreTLS=true`
    const found = await examine({ ...environment, SMTP_URL })
    s3.mood = 'well'
    expectLines(found, {
      S3_URL: /^✗ it denies a right\. Let the keys of S3_URL list the bucket/,
      SMTP_URL: /the address names no user, so none was tried/,
    })
  })
})

describe('PUBLIC_URL', async () => {
  const app = await openTestApp()
  const trusting = await openTestApp({ TRUST_PROXY: '1', DATA_DIR: app.dataDir }, null, app)
  const base = {
    DATABASE_URL: addressOf(app.connection),
    AUTH_SECRETS: TEST_SECRET,
    DATA_DIR: app.dataDir,
    TRUST_PROXY: '1',
  }
  const forged = PASSED.replace('X-Forwarded-Proto $scheme', 'X-Forwarded-Proto https')

  test.each<[string, string, Record<string, RegExp>, Record<string, string>?]>([
    [
      'drops Host and upgrades',
      `proxy_pass ${trusting.url}; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;`,
      {
        headers: /^✗ The server hears the host .* proxy_set_header Host \$http_host/,
        WebSocket: /^✗ The upgrade was lost on its way/,
      },
    ],
    [
      'hides https',
      `proxy_pass ${trusting.url}; ${forged}`,
      {
        headers:
          /^✗ The server takes http:\/\/ for https:\/\/\. Let the proxy send X-Forwarded-Proto/,
      },
    ],
    [
      'is not in TRUST_PROXY',
      `proxy_pass ${app.url}; ${PASSED}`,
      { headers: /^✗ A proxy stands in front and TRUST_PROXY is 0, .* Set TRUST_PROXY=1\./ },
      { TRUST_PROXY: '0' },
    ],
    [
      'serves another site',
      'return 200 "Welcome to nginx";',
      { PUBLIC_URL: /^✗ .* answers 200, but it is not this installation/ },
    ],
    [
      'redirects',
      'return 301 https://www.bazaar.test$request_uri;',
      { PUBLIC_URL: /^✗ .* to https:\/\/www\.bazaar\.test\/healthz\/seen\. Set PUBLIC_URL/ },
    ],
    [
      'reaches no server',
      `proxy_pass http://127.0.0.1:${await findTestPort()};`,
      { PUBLIC_URL: /^✗ .* answers 502: the proxy does not reach the server/ },
    ],
  ])('a proxy that %s is named', async (_, location, lines, more) => {
    const proxy = await startNginx(location)
    const PUBLIC_URL = `http://127.0.0.1:${proxy.port}`
    const found = await examine({ ...base, PUBLIC_URL, ...more }).finally(() => proxy.close())
    expect(found.code).toBe(1)
    expectLines(found, lines)
  })

  test('a TRUST_PROXY without a proxy, a closed port and an unknown name are named', async () => {
    expectLines(await examine({ ...base, PUBLIC_URL: trusting.url }), {
      headers: /^✗ Whoever calls may claim any address: TRUST_PROXY is 1/,
    })
    const closed = `http://127.0.0.1:${await findTestPort()}`
    expectLines(await examine({ ...base, PUBLIC_URL: closed }), {
      PUBLIC_URL: /^✗ .*ECONNREFUSED.*Start the server and the proxy/,
    })
    const unknown = await examine({ ...base, PUBLIC_URL: 'http://nobody.invalid' })
    expect(unknown.of('PUBLIC_URL').join('\n')).toMatch(/is not https(.|\n)*The name is not known/)
  })
})

test('a database without tables, an unavailable one and a wrong password are distinguished', async () => {
  const AUTH_SECRETS = TEST_SECRET
  const empty = await createTestDatabase()
  await ask(empty, 'drop schema public cascade; create schema public')
  const [fresh, away] = await Promise.all([
    examine({ AUTH_SECRETS, DATABASE_URL: addressOf(empty), DATA_DIR: join(folder, 'none') }),
    examine({
      AUTH_SECRETS,
      DATABASE_URL: `postgres://ann:hidden@127.0.0.1:${await findTestPort()}/bazaar`,
      DATA_DIR: join(folder, 'none'),
    }),
  ])
  expectLines(fresh, {
    migrations:
      /^! the database lacks \d+ \(0001_platform\.sql is the first\): the next start applies them/,
    settings: /^✗ fsync is off/,
  })
  expectLines(away, {
    DATABASE_URL: /^✗ The database of DATABASE_URL can't be reached: .*ECONNREFUSED/,
  })
  expect(away.text).not.toContain('hidden')
})

test('a world-writable folder, a readable key and an empty key are reported', async () => {
  const DATA_DIR = await mkdtemp(join(folder, 'data-'))
  const key = join(DATA_DIR, 'auth-secret')
  await writeFile(key, 'k'.repeat(43), { mode: 0o644 })
  await chmod(DATA_DIR, 0o777)
  const open = await examine({ DATA_DIR })
  expect(open.of('folders')).toEqual([
    `✗ Every user of this machine may write in ${DATA_DIR}: chmod o-w ${DATA_DIR}`,
  ])
  expect(open.of('AUTH_SECRETS')).toEqual([
    `✗ Others on this machine may read the signing key: chmod 600 ${key}`,
  ])
  expect(open.text).not.toContain('kkkk')
  await chmod(DATA_DIR, 0o700)
  await writeFile(key, '')
  const { of, code } = await examine({ DATA_DIR })
  expect(code).toBe(1)
  expect(of('AUTH_SECRETS')[0]).toMatch(
    /^✗ The signing key in .* is empty\. Put the one of a backup there/,
  )
  expect(of('folders')).toEqual(['✓ what lies in DATA_DIR can be read and written'])
})

test('a nearly full disk and a full one are distinguished', async () => {
  const disk = await makeSmallDisk(16)
  onTestFinished(() => disk.end())
  const DATA_DIR = join(disk.folder, 'data')
  await mkdir(DATA_DIR)
  // Leaves one of sixteen megabytes free.
  await writeFile(join(disk.folder, 'most'), Buffer.alloc(15 * 1024 * 1024))
  const near = await examine({ DATA_DIR })
  expect(near.of('disk')).toEqual([
    '! Only 0.0 of 0.0 GB are free on the disk of DATA_DIR. Make room before it is full.',
  ])
  expect(near.wrong).not.toContain('disk')
  await disk.fill()
  const full = await examine({ DATA_DIR })
  expect(full.code).toBe(1)
  expect(full.of('disk')[0]).toMatch(/^✗ The disk of DATA_DIR \(.*\) is full\. Free some space/)
}, 60_000)
