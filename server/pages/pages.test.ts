import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { route } from '#server/kernel/call.ts'
import { notFound } from '#server/kernel/errors.ts'
import { createLoads } from '#server/kernel/limits/loads.ts'
import { resolveSettings } from '#server/kernel/settings/site-settings.ts'
import { createLog } from '#server/kernel/log.ts'
import { createPages } from '#server/pages/pages.ts'
import type { Person, RenderRequest } from '#contract/render.ts'
import type { Renderer } from '#server/pages/renderer.ts'
import { getRaw } from '#server/testing/http/raw-http.ts'

const ann: Person = {
  _id: 'a',
  username: 'ann',
  email: 'a@b.cd',
  kbPoints: 5,
  role: 'user',
  imageUrl: '/a',
}
/** Named as in the contract: the cache derives from these calls which items a page shows. */
const shared = { methods: ['GET'], access: 'anybody', scope: 'read', summary: '' } as const
const OfId = z.object({ id: z.number() })
const { greet, showLesson, showCourse } = endpoints({
  greet: {
    ...shared,
    path: '/greet/{name}',
    input: z.object({ name: z.string() }),
    answer: z.object({ hello: z.string() }),
  },
  showLesson: { ...shared, path: '/lesson/{id}', input: OfId, answer: OfId },
  showCourse: {
    ...shared,
    path: '/course/{id}',
    input: OfId,
    answer: z.extend(OfId, { lessons: z.array(OfId) }),
  },
})
const greetRoute = route(greet, async (_, { name }) => {
  if (name === 'nobody') throw notFound()
  return { hello: name, secret: 'paid' }
})

const itemRoutes = [
  route(showLesson, async (_, { id }) => ({ id, courses: [] })),
  route(showCourse, async (_, { id }) => ({ id, lessons: [{ id: 11 }, { id: 12 }] })),
]

let server: Server | undefined
afterEach(() => {
  server?.close()
})

async function openStall(render?: Renderer['render']) {
  const rendered: RenderRequest<AbortSignal>[] = []
  const views: number[] = []
  const clock = { time: 0 }
  let hits = 0
  let html = '<p>hello</p>'
  let gate: Promise<void> = Promise.resolve()
  const assets = { script: '', styles: [], pages: {}, messages: {} }
  const pages = createPages({
    renderer: {
      folder: '',
      assets,
      inlineScripts: ['x'],
      render: async (request) => {
        rendered.push(request)
        if (render !== undefined) return render(request)
        const words = html
        await gate
        await callItems(request)
        return {
          status: request.url.includes('404') ? 404 : 200,
          redirect: null,
          html: words + (request.person?.username ?? ''),
          failure: null,
        }
      },
    },
    routes: [greetRoute, ...itemRoutes],
    loads: createLoads({ RATE_LIMITS: 'on' }),
    clock: { now: () => new Date(clock.time) },
    log: createLog('silent'),
    publicUrl: 'http://here',
    config: {
      MAIL_FROM: 'm@x.example',
      SOCIAL_URL: 'https://s.example',
      TRUST_PROXY: 0,
      OFFLINE_READING: '1',
    },
    settings: { current: resolveSettings({}).settings },
    visitorOf: async (header) =>
      header === 'kb=ann'
        ? {
            viewer: {
              id: 'a',
              username: 'ann',
              role: 'user',
              suspended: false,
              sessionId: 's',
              wroteLately: false,
            },
            person: ann,
          }
        : null,
    views: { count: (lessonId) => void views.push(lessonId) },
    metrics: { pageCache: { inc: (_, result) => void (hits += result === 'hit' ? 1 : 0) } },
  })
  server = createServer((request, response) => {
    if (!pages.answerGuest(request, response)) void pages.answerPage(request, response)
  })
  await new Promise<void>((resolve) => void server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    pages,
    rendered,
    views,
    clock,
    hits: () => hits,
    say: (words: string) => void (html = words),
    /** Delays renders until the returned function is called. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
  }
}

/** Makes the calls of the details pages; a course opens its first lesson, whatever the URL says. */
async function callItems({ url, call }: RenderRequest<AbortSignal>): Promise<void> {
  const [, kind, id] = /^\/(lesson|course)\/details\/(\d+)/.exec(url) ?? []
  if (kind === 'lesson') await call(showLesson, { id: Number(id) }, false)
  if (kind !== 'course') return
  await call(showCourse, { id: Number(id) }, false)
  await call(showLesson, { id: 11 }, false)
}

describe("guests' pages", () => {
  test('a failed render answers 500 and is not cached', async () => {
    const stall = await openStall(() => Promise.reject(new Error('no')))
    const answer = await fetch(`${stall.url}/`)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([500, 'no-store'])
    expect(await answer.text()).toContain('Unexpected Application Error!')
    await fetch(`${stall.url}/`)
    expect(stall.rendered).toHaveLength(2)
  })

  test('a session cookie never meets a cached page', async () => {
    const stall = await openStall()
    await fetch(`${stall.url}/`)
    const mine = await fetch(`${stall.url}/`, { headers: { cookie: 'lang=en; kb=ann' } })
    expect(stall.rendered).toHaveLength(2)
    await mine.text()
    const own = await fetch(`${stall.url}/`, { headers: { cookie: 'kb=ann' } })
    expect(await own.text()).toBe('<p>hello</p>ann')
    expect(own.headers.get('cache-control')).toBe('private, no-store')
    expect(await (await fetch(`${stall.url}/`)).text()).toBe('<p>hello</p>')
  })

  test('twenty concurrent requests cost one render', async () => {
    const stall = await openStall()
    const open = stall.hold()
    const asked = Array.from({ length: 20 }, () =>
      fetch(`${stall.url}/lesson/all`).then((answer) => answer.text()),
    )
    await new Promise((resolve) => setTimeout(resolve, 100))
    open()
    expect(new Set(await Promise.all(asked)).size).toBe(1)
    expect(stall.rendered).toHaveLength(1)
  })

  test('a page is rendered again after three seconds', async () => {
    const stall = await openStall()
    await fetch(`${stall.url}/`)
    stall.clock.time = 2999
    await fetch(`${stall.url}/`)
    expect([stall.rendered.length, stall.hits()]).toEqual([1, 1])
    stall.clock.time = 3000
    await fetch(`${stall.url}/`)
    expect(stall.rendered).toHaveLength(2)
  })

  test('a write drops the pages that depend on it', async () => {
    const stall = await openStall()
    await fetch(`${stall.url}/lesson/details/7`)
    await fetch(`${stall.url}/about`)
    stall.say('<p>new</p>')
    stall.pages.cache.drop(['lesson:7'])
    expect(await (await fetch(`${stall.url}/lesson/details/7`)).text()).toBe('<p>new</p>')
    expect(await (await fetch(`${stall.url}/about`)).text()).toBe('<p>hello</p>')
  })

  test('a course page counts a view of the lesson that it opens', async () => {
    const stall = await openStall()
    for (const path of ['/course/details/7', '/course/details/7/999', '/course/details/7/999'])
      await fetch(stall.url + path)
    expect([stall.views, stall.hits()]).toEqual([[11, 11, 11], 1])
  })

  test('a course page is dropped with its course and with any of its lessons', async () => {
    const stall = await openStall()
    const page = `${stall.url}/course/details/7/999`
    for (const [place, tag] of ['course:7', 'lesson:11', 'lesson:12'].entries()) {
      await fetch(page)
      expect(stall.rendered).toHaveLength(place + 1)
      stall.pages.cache.drop([tag])
    }
    await fetch(page)
    stall.pages.cache.drop(['lesson:13', 'course:8', 'lists'])
    await fetch(page)
    expect(stall.rendered).toHaveLength(4)
  })

  test('a render that began before a write is not cached', async () => {
    const stall = await openStall()
    const open = stall.hold()
    const old = fetch(`${stall.url}/lesson/all`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    stall.say('<p>new</p>')
    stall.pages.cache.drop(['lists'])
    open()
    await old
    expect(await (await fetch(`${stall.url}/lesson/all`)).text()).toBe('<p>new</p>')
  })

  test('views count for cached pages, but not for prefetches', async () => {
    const stall = await openStall()
    const page = `${stall.url}/lesson/details/7`
    await fetch(page)
    await fetch(page)
    await fetch(page, { method: 'HEAD' })
    await fetch(page, { headers: { 'sec-purpose': 'prefetch' } })
    await fetch(page, { headers: { 'x-prefetch': '1' } })
    await fetch(`${stall.url}/lesson/details/404`)
    expect(stall.views).toEqual([7, 7])
    expect(stall.rendered.every((request) => request.person === null)).toBe(true)
  })

  test('an unchanged page answers 304 without a body', async () => {
    const stall = await openStall()
    const first = await fetch(`${stall.url}/`)
    const again = await fetch(`${stall.url}/`, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('Brotli is used for clients that accept it', async () => {
    const stall = await openStall()
    const plain = await fetch(`${stall.url}/`, { headers: { 'accept-encoding': 'gzip' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    const { bytes } = await getRaw(`${stall.url}/`, { 'accept-encoding': 'br' })
    expect(brotliDecompressSync(bytes).toString()).toBe('<p>hello</p>')
  })

  test('the policy names the inline script by hash', async () => {
    const stall = await openStall()
    const policy = (await fetch(`${stall.url}/`)).headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self' 'sha256-")
    expect(policy).not.toContain('unsafe')
  })

  test('a secret in the address is told to nobody', async () => {
    const stall = await openStall()
    const policy = async (path: string) =>
      (await fetch(stall.url + path)).headers.get('referrer-policy')
    expect(await policy('/password/reset?lang=bg&token=x')).toBe('no-referrer')
    expect(await policy('/register?invitation=x')).toBe('no-referrer')
    expect(await policy('/')).toBe('strict-origin-when-cross-origin')
  })
  test('a language in the URL is stored', async () => {
    const stall = await openStall()
    const answer = await fetch(`${stall.url}/?lang=bg`)
    expect(answer.headers.get('set-cookie')).toContain('lang=bg')
    expect(stall.rendered[0]?.locale).toBe('bg')
  })
})

describe('calls of a page', () => {
  test('nothing outside the contract reaches a page', async () => {
    const stall = await openStall()
    await fetch(`${stall.url}/`)
    expect(await stall.rendered[0]?.call(greet, { name: 'ann' }, false)).toEqual({
      ok: true,
      answer: { hello: 'ann' },
    })
  })

  test('a refusal is returned as text', async () => {
    const stall = await openStall()
    await fetch(`${stall.url}/`)
    expect(await stall.rendered[0]?.call(greet, { name: 'nobody' }, false)).toMatchObject({
      ok: false,
      status: 404,
      message: 'There’s nothing here.',
    })
  })
})

test('only a few searches are rendered at once, and common pages pass them', async () => {
  const stall = await openStall()
  const release = stall.hold()
  const searches = Array.from({ length: 30 }, (_, n) =>
    fetch(`${stall.url}/lesson/all?search=x${n}`),
  )
  await expect.poll(() => stall.rendered.length).toBe(3)
  const home = fetch(`${stall.url}/`)
  await expect.poll(() => stall.rendered.length).toBe(4)
  expect(stall.rendered.at(-1)?.url).toBe('/')
  release()
  const statuses = (await Promise.all([home, ...searches])).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test('too many different pages are refused for a while; cached pages stay free', async () => {
  const stall = await openStall()
  const statuses: number[] = []
  let refused: Response | undefined
  for (let page = 1; page <= 700 && refused === undefined; page++) {
    const answer = await fetch(`${stall.url}/lesson/all?page=${page}`)
    statuses.push(answer.status)
    if (answer.status === 429) refused = answer
    else await answer.arrayBuffer()
  }
  expect(statuses.length).toBeGreaterThan(590)
  expect(refused?.status).toBe(429)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused?.headers.get('content-type')).toContain('text/html')
  expect(await refused?.text()).toContain('Please come back in a moment')
  expect((await fetch(`${stall.url}/`)).status).toBe(200)
})
