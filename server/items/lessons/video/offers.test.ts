import type { ServerResponse } from 'node:http'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import sharp from 'sharp'
import type { VideoOffer } from '#contract/video-offers.ts'
import { fitTitle } from '#server/items/lessons/video/offers.ts'
import { createTestApp, testPicture } from '#server/testing/app.ts'
import { startReceiver } from '#server/testing/webhooks/receiver.ts'

const youtube = await startReceiver()
const elsewhere = await startReceiver()
const app = await createTestApp({ VIDEO_CHECK_URL: `${youtube.url}?key=1` })
const off = await createTestApp({}, null, app)
const ann = await app.signUp('ann')
const bytes = Buffer.from(await (await testPicture()).arrayBuffer())
afterAll(async () => {
  await off.close()
  await app.close()
  await youtube.close()
  await elsewhere.close()
})

const PICTURE = `${new URL(youtube.url).origin}/picture.jpg`
const TITLE = 'How to tie a bowline'
const NOTHING = { title: null, picture: null, playable: null }

type Part = string | Buffer | ((response: ServerResponse) => void)

const about = (fields: object) => JSON.stringify(fields)

/** Sets the endpoint's response and the video's picture. */
function say(answer: Part, picture: Part = bytes): void {
  youtube.answer = (response, { path }) => {
    const part = path === '/picture.jpg' ? picture : answer
    if (typeof part === 'function') part(response)
    else response.end(part)
  }
}

let count = 0
beforeEach(() => {
  youtube.received.length = 0
  count += 1
  say(about({ title: TITLE, thumbnail_url: PICTURE }))
})

const ask = (
  as: typeof ann | undefined,
  video = `https://youtu.be/AbCdEfGh-${count + 10}`,
  at = app,
) => at.call<VideoOffer>('GET', `/lesson/video?video=${encodeURIComponent(video)}`, { as })

describe('refused, or nothing is offered', () => {
  test('to guests, for a link to elsewhere, and without an endpoint', async () => {
    expect((await ask(undefined)).status).toBe(401)
    for (const video of ['https://video.example/watch?v=abcdefghijk', 'abcdefghijk', ''])
      expect((await ask(ann, video)).status).toBe(400)
    expect((await ask(ann, undefined, off)).body).toEqual(NOTHING)
    expect(youtube.received).toEqual([])
  })
  test.each<[string, Part]>([
    ['an error', (response) => response.writeHead(500).end(about({ title: TITLE }))],
    ['a redirect', (response) => response.writeHead(302, { location: elsewhere.url }).end()],
    ['no JSON', '<title>How to tie a bowline</title>'],
    ['a list', '[]'],
    ['more than 64 KB', about({ title: TITLE, html: 'x'.repeat(64 * 1024) })],
    ['a broken line', (response) => response.destroy()],
  ])('of an endpoint that answers %s', async (_, answer) => {
    say(answer)
    expect((await ask(ann)).body).toEqual(NOTHING)
    expect(elsewhere.received).toEqual([])
  })
  test('of an endpoint that is silent for 2 seconds', async () => {
    say(() => {})
    const began = performance.now()
    expect((await ask(ann)).body).toEqual(NOTHING)
    expect(performance.now() - began).toBeGreaterThan(1900)
  })
  test.each<[string, Part, string?]>([
    ['of another host', bytes, elsewhere.url],
    ['of another host by a redirect', (to) => to.writeHead(302, { location: elsewhere.url }).end()],
    ['of a file', bytes, 'file:///etc/hostname'],
    ['that is a page', '<html></html>'],
    ['that is a GIF', Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')],
    ['that is cut', bytes.subarray(0, 200)],
    ['of more than 2 MB', Buffer.concat([bytes, Buffer.alloc(2 * 1024 * 1024)])],
    ['that is missing', (to) => to.writeHead(404).end(bytes)],
    ['that does not come', () => {}],
  ])('no picture %s', async (_, picture, link = PICTURE) => {
    say(about({ title: TITLE, thumbnail_url: link }), picture)
    expect((await ask(ann)).body).toEqual({ title: TITLE, picture: null, playable: true })
    expect(elsewhere.received).toEqual([])
  })
})

test.each([400, 401, 403, 404])(
  'status %i says that the video can’t be embedded',
  async (status) => {
    say((response) => response.writeHead(status).end(about({ title: TITLE })))
    expect((await ask(ann)).body).toEqual({ title: null, picture: null, playable: false })
  },
)

test('title and picture are fetched once, by the id alone', async () => {
  const { body } = await ask(ann)
  expect(body.title).toBe(TITLE)
  // The black bars at top and bottom are cut off.
  const cover = await sharp(Buffer.from(body.picture ?? '', 'base64')).metadata()
  expect(cover).toMatchObject({ format: 'jpeg', width: 64, height: 36 })
  expect((await ask(ann)).body).toEqual(body)
  expect(youtube.received.map(({ path }) => path)).toEqual([
    `/hook?key=1&url=${encodeURIComponent(`https://www.youtube.com/watch?v=AbCdEfGh-${count + 10}`)}&format=json`,
    '/picture.jpg',
  ])
  const sent = JSON.stringify(youtube.received.map(({ headers }) => headers))
  expect(sent).not.toMatch(/ann|authorization|cookie|forwarded|referer/i)
})

test.each([
  ['How to tie a bowline', 'How to tie a bowline'],
  ['How to tie a bowline knot', 'How to tie a bowline'],
  ['How to tie a bowline, a knot', 'How to tie a bowline'],
  ['How to tie a bowlines', 'How to tie a'],
  ['Why a bowline isn’t it?', 'Why a bowline isn’t'],
  ['  Възел \n булин – за начинаещи', 'Възел булин – за'],
  ['Bowline knot (for all of us)', 'Bowline knot'],
  ['Ropes and knots – everything', 'Ropes and knots'],
  ['Internationalizations', null],
  ['A internationalization', null],
  ['Hm', null],
])('of the title “%s” is offered “%s”', (title, fitting) => {
  expect(fitTitle(title)).toBe(fitting)
})
