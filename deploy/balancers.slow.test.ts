/** deploy/nginx.conf, nginx-pictures.conf and haproxy.cfg as they are, but for addresses, run before a node, and two addresses where none is. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpTransportType } from '@microsoft/signalr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RESOURCE_BYTES } from '#contract/limits.ts'
import type { Lesson } from '#contract/lessons.ts'
import type { TestApp } from '#server/testing/app.ts'
import { makeTestFolder } from '#server/testing/folder.ts'
import { uploadFile } from '#server/testing/http/forms.ts'
import { buildConnection } from '#server/testing/http/hub.ts'
import { bearer } from '#server/testing/http/uploads.ts'
import { spawnNginx } from '#server/testing/nginx.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { signUpAll } from '#server/testing/people.ts'
import { findTestPort } from '#server/testing/port.ts'
import { openTestApp } from '#server/testing/setup.ts'

const READY_MS = 20_000

const folder = await makeTestFolder()
const node = await openTestApp({ TRUST_PROXY: '1' }, await loadSourceRenderer())
const { ann, bob } = await signUpAll(node, 'ann', 'bob')
const lesson = (await node.publishLesson(ann)).id

const portOf = ({ url }: TestApp) => new URL(url).port

/** The file with node1 at the node, and node2 and node3 where nobody listens. */
async function adapt(file: string, port: number, dead: number): Promise<string> {
  const text = await readFile(file, 'utf8')
  return text
    .replace(/\bnode1:3000/, `127.0.0.1:${portOf(node)}`)
    .replaceAll(/\bnode[23]:3000/g, `127.0.0.1:${dead}`)
    .replace('/var/cache/nginx', folder)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('bind :80', `bind 127.0.0.1:${port}`)
}

interface Balancer {
  readonly url: string
  stop(): Promise<void>
}

type Starter = (port: number, dead: number) => Promise<ChildProcess>

/** Starts nginx with one of the files of deploy/. */
const nginxWith =
  (site: string): Starter =>
  async (port, dead) =>
    spawnNginx(folder, await adapt(`deploy/${site}`, port, dead))

const BALANCERS: Readonly<Record<string, Starter>> = {
  nginx: nginxWith('nginx.conf'),
  haproxy: async (port, dead) => {
    const file = join(folder, 'haproxy.cfg')
    await writeFile(file, await adapt('deploy/haproxy.cfg', port, dead))
    return spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  },
}

async function start(
  name: string,
  starter: Starter | undefined = BALANCERS[name],
  path = '/readyz',
): Promise<Balancer> {
  const [port, dead] = [await findTestPort(), await findTestPort()]
  const child = await starter?.(port, dead)
  if (child === undefined) throw new Error(`no balancer ${name}`)
  let said = ''
  child.stderr?.on('data', (piece: Buffer) => (said = `${said}${piece.toString()}`.slice(-4000)))
  child.on('error', (error) => (said += error.message))
  const stop = async () => {
    if (child.exitCode !== null || child.pid === undefined) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
  const url = `http://127.0.0.1:${port}`
  const isUp = () =>
    fetch(url + path).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const end = Date.now() + READY_MS; !(await isUp()); await sleep(50)) {
    if (child.exitCode === null && child.pid !== undefined && Date.now() < end) continue
    await stop()
    throw new Error(`${name} did not start: ${said}`)
  }
  return { url, stop }
}

/** Whole headers of an answer, but for those that belong to the connection or the moment. */
async function headersOf(url: string, headers: Record<string, string>) {
  const answer = await fetch(url, { headers })
  await answer.arrayBuffer()
  const own = [
    'date',
    'connection',
    'keep-alive',
    'server',
    'transfer-encoding',
    'content-length',
    'x-request-id',
  ]
  return [answer.status, [...answer.headers].filter(([name]) => !own.includes(name))]
}

describe.each(Object.keys(BALANCERS))('behind %s', (name) => {
  let balancer: Balancer
  beforeAll(async () => {
    balancer = await start(name)
  })
  afterAll(() => balancer.stop())

  test('too large an upload is refused by the product, in its words, and one of 50 MB arrives', async () => {
    const upload = async (size: number) => {
      const form = new FormData()
      form.set('file', new File([new Uint8Array(randomBytes(size))], 'notes.zip'))
      const address = `${balancer.url}/api/upload/resource`
      const answer = await fetch(address, { method: 'POST', body: form, headers: bearer(ann) })
      return { status: answer.status, text: await answer.text() }
    }
    // The refusal comes while the client still writes: whether that finds the connection closed is a matter of luck.
    const refused = await upload(RESOURCE_BYTES + 1).catch(() => upload(RESOURCE_BYTES + 1))
    expect([refused.status, refused.text]).toEqual([413, expect.stringContaining('"fileTooLarge"')])
    expect(await upload(RESOURCE_BYTES)).toMatchObject({ status: 200 })
  })

  test.each([
    HttpTransportType.WebSockets,
    HttpTransportType.ServerSentEvents,
    HttpTransportType.LongPolling,
  ])('a message reaches its receiver at once by transport %s', async (transport) => {
    const connection = buildConnection(balancer, bob.session.accessToken, { transport })
    const { promise: heard, resolve } = Promise.withResolvers<string>()
    connection.on('ReceiveMessage', resolve)
    await connection.start()
    const beganAt = performance.now()
    const sent = await fetch(`${balancer.url}/api/message/create`, {
      method: 'POST',
      headers: {
        ...bearer(ann),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ text: `by ${name} and ${transport}`, receiverUsername: 'bob' }),
    })
    expect(sent.status).toBe(200)
    expect(await heard).toBe(`by ${name} and ${transport}`)
    // The server delivers by itself after 2 seconds; what is buffered on the way would come much later.
    expect(performance.now() - beganAt).toBeLessThan(6000)
    await connection.stop()
  })

  test("the client's address is the one that the proxy sees, whatever the client claims", async () => {
    const views = async () => {
      await node.app.views.flush()
      const { body } = await node.call<Lesson>('GET', `/lesson/${lesson}`, { as: ann })
      return body.views
    }
    const look = (from: string, claimed: string) =>
      new Promise<void>((resolve, reject) => {
        const asked = request(
          `${balancer.url}/api/lesson/${lesson}`,
          {
            localAddress: from,
            headers: { 'x-forwarded-for': claimed, 'user-agent': `agent ${name}` },
          },
          (answer) => void answer.resume().once('end', () => resolve()),
        )
        asked.once('error', reject).end()
      })
    await look('127.0.0.1', '203.0.113.1')
    const once = await views()
    await look('127.0.0.1', '203.0.113.2')
    expect(await views()).toBe(once)
    await look('127.0.0.2', '203.0.113.1')
    expect(await views()).toBe(once + 1)
  })

  test('headers come through as they are: caching, languages, policies', async () => {
    const asked: [string, Record<string, string>][] = [
      ['/', { 'accept-encoding': 'br' }],
      ['/lesson/all', { 'accept-language': 'bg' }],
      [`/api/lesson/${lesson}`, {}],
      ['/art/cover/word.svg', {}],
      ['/robots.txt', {}],
    ]
    for (const [path, headers] of asked)
      expect(await headersOf(balancer.url + path, headers)).toEqual(
        await headersOf(node.url + path, headers),
      )
  })

  test('nodes that are away are left out: no request fails', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => (await fetch(`${balancer.url}/about`)).status),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})

describe('behind nginx as the host of pictures', () => {
  let host: Balancer
  beforeAll(async () => {
    host = await start('nginx', nginxWith('nginx-pictures.conf'), '/share.jpg')
  })
  afterAll(() => host.stop())

  test('nothing but pictures is passed on, and nothing is sent that way', async () => {
    const file = await uploadFile(node, ann, 'notes.txt')
    for (const path of ['/', '/api/lesson/all', '/readyz', `/lesson/details/${lesson}`, file])
      expect((await fetch(host.url + path, { headers: bearer(ann) })).status).toBe(404)
    const { imageUrl } = ann.session
    expect((await fetch(host.url + imageUrl, { method: 'POST' })).status).toBe(403)
  })

  test('a picture is fetched once, whatever is asked behind it, and stays immutable', async () => {
    const { imageUrl } = ann.session
    const first = await fetch(host.url + imageUrl)
    const again = await fetch(`${host.url}${imageUrl}?again=1`, { headers: { cookie: ann.cookie } })
    const stateOf = (answer: Response) => [answer.status, answer.headers.get('x-cache-status')]
    expect([stateOf(first), stateOf(again)]).toEqual([
      [200, 'MISS'],
      [200, 'HIT'],
    ])
    for (const answer of [first, again]) {
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    }
    const bytes = async (answer: Response) => Buffer.from(await answer.arrayBuffer())
    expect((await bytes(first)).equals(await bytes(again))).toBe(true)
  })

  test('drawn pictures and previews come that way too', async () => {
    for (const path of ['/art/cover/7.svg', '/share/cover-7.jpg'])
      expect((await fetch(host.url + path)).status).toBe(200)
  })
})
