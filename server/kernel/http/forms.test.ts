import { randomUUID } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { FormError } from '#contract/errors.ts'
import { createFormFiles } from '#server/kernel/http/form-files.ts'
import { lessonForm, type TestApp } from '#server/testing/app.ts'
import { openTestApp } from '#server/testing/setup.ts'

const MEGABYTE = 1024 * 1024
const open: Socket[] = []

const app = await openTestApp()
const limited = await openTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: '1' }, null, app)
const ann = await app.signUp('ann')
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy()
})

const storedFiles = (of = app) => readdir(join(of.dataDir, 'forms'))

interface Half {
  readonly socket: Socket
  readonly answer: () => string
  readonly isClosed: () => boolean
}

/** Opens a connection and sends the head of a request. */
function begin(to: TestApp, path: string, headers: string): Half {
  let answer = ''
  let isClosed = false
  const socket = connect(Number(new URL(to.url).port), '127.0.0.1')
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`)
  socket.setEncoding('latin1')
  socket.on('data', (piece: string) => {
    answer += piece
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
  })
  open.push(socket)
  return { socket, answer: () => answer, isClosed: () => isClosed }
}

const form = 'content-type: multipart/form-data; boundary=b\r\n'
const part = '--b\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n'

/** Starts a registration and sends only `bytes` of its picture. */
function registerHalf(to: TestApp, bytes: number, headers = ''): Half {
  const length = `content-length: ${8 * MEGABYTE}\r\n`
  const half = begin(to, '/api/identity/register', `${form}${headers}${length}`)
  half.socket.write(part)
  half.socket.write(Buffer.alloc(bytes))
  return half
}

describe('a body that is too long', () => {
  /** Sends until the server closes. Returns the bytes sent and the answer. */
  async function sendUntilClosed(
    path: string,
    headers: string,
    chunked: boolean,
  ): Promise<[number, string]> {
    const { socket, answer } = begin(app, path, headers)
    const chunkOf = (text: string) =>
      chunked ? `${text.length.toString(16)}\r\n${text}\r\n` : text
    const piece = chunkOf('a'.repeat(64 * 1024))
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.write(chunkOf(part))
    socket.on('drain', more)
    more()
    await new Promise((resolve) => socket.once('close', resolve))
    return [socket.bytesWritten, answer()]
  }

  test.each([
    ['announced', `${form}content-length: 1000000000\r\n`, false],
    ['in pieces', `${form}transfer-encoding: chunked\r\n`, true],
  ])('is answered and cut off at once, %s', async (_, headers, chunked) => {
    const [bytes, answer] = await sendUntilClosed('/api/identity/register', headers, chunked)
    expect(answer).toContain('HTTP/1.1 413')
    expect(answer).toMatch(/\[\{"code":"(?:pictureTooLarge|tooLarge)"/)
    // The count includes what is in kernel buffers.
    expect(bytes).toBeLessThan(24 * MEGABYTE)
  })

  test.each([
    ['JSON', '/api/identity/login', 'content-type: application/json\r\n', '413'],
    ['nobody wants', '/api/nothing', form, '404'],
    ['a stranger sends', '/api/lesson/create', form, '401'],
    ['a page gets', '/about', form, '404'],
  ])('that is %s is cut off too', async (_, path, headers, status) => {
    const [bytes, answer] = await sendUntilClosed(
      path,
      `${headers}content-length: 1000000000\r\n`,
      false,
    )
    expect(answer).toContain(`HTTP/1.1 ${status}`)
    expect(bytes).toBeLessThan(24 * MEGABYTE)
  })
})

describe('forms of one address', () => {
  const at = (address: string) => `x-forwarded-for: ${address}\r\n`

  test('are limited to four at once, and one that ends makes room', async () => {
    const four = [1, 2, 3, 4].map(() => registerHalf(limited, 1000, at('192.0.2.7')))
    await expect.poll(() => storedFiles(limited)).toHaveLength(4)
    const fifth = registerHalf(limited, 1000, at('192.0.2.7'))
    await expect.poll(fifth.answer).toContain('HTTP/1.1 429')
    expect(fifth.answer()).toMatch(/retry-after: \d+/)
    expect(fifth.answer()).toContain('[{"code":"tooManyRequests"')
    await expect.poll(fifth.isClosed, { timeout: 10_000 }).toBe(true)
    const elsewhere = registerHalf(limited, 1000, at('192.0.2.8'))
    four[0]?.socket.destroy()
    // A busy machine notices the end of the connection late.
    const letIn = async () => {
      const sixth = registerHalf(limited, 1000, at('192.0.2.7'))
      await new Promise((resolve) => setTimeout(resolve, 300))
      return sixth.answer()
    }
    await expect.poll(letIn, { timeout: 10_000 }).toBe('')
    expect(elsewhere.answer()).toBe('')
  })

  test('count by network for IPv6 addresses', async () => {
    for (const host of [1, 2, 3, 4]) registerHalf(limited, 1000, at(`2001:db8:1:2::${host}`))
    await expect.poll(() => storedFiles(limited)).toHaveLength(4)
    const fifth = registerHalf(limited, 1000, at('2001:db8:1:2:ffff::5'))
    await expect.poll(fifth.answer).toContain('HTTP/1.1 429')
  })
})

test('above 64 MB in flight the newest are told to retry, and succeed then', async () => {
  const many = Array.from({ length: 10 }, () => registerHalf(app, 7.9 * MEGABYTE))
  const refused = () => many.filter((half) => half.answer().includes('HTTP/1.1 503'))
  await expect.poll(() => refused().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(1)
  expect(refused()[0]?.answer()).toMatch(/retry-after: \d+/)
  expect(refused()[0]?.answer()).toContain('[{"code":"unavailable"')
  expect(many.length - refused().length).toBeGreaterThanOrEqual(6)
  const login = { username: 'nobody', password: 'nothing' }
  for (const { socket } of many) socket.destroy()
  await expect.poll(() => storedFiles(), { timeout: 10_000 }).toEqual([])
  expect((await app.call('POST', '/identity/login', { json: login })).status).toBe(401)
  expect((await app.signUp('later')).session.username).toBe('later')
}, 40_000)

describe('the files of a form', () => {
  test('are removed when the form is accepted, refused or aborted', async () => {
    await app.publishLesson(ann)
    expect(await storedFiles()).toEqual([])
    const form = await lessonForm({ title: 'x' })
    expect((await app.call('POST', '/lesson/create', { as: ann, form })).status).toBe(400)
    expect(await storedFiles()).toEqual([])
    const half = registerHalf(app, MEGABYTE)
    await expect.poll(() => storedFiles()).toHaveLength(1)
    half.socket.destroy()
    await expect.poll(() => storedFiles()).toEqual([])
  })

  test('that the call does not name, or takes only once, are skipped', async () => {
    const form = await lessonForm()
    form.append('image', new File(['no picture'], 'second.jpg'))
    form.append('other', new File([new Uint8Array(MEGABYTE)], 'other.bin'))
    form.append('extra', 'ignored')
    expect((await app.call('POST', '/lesson/create', { as: ann, form })).status).toBe(200)
    expect(await storedFiles()).toEqual([])
  })

  test('that is a byte too long is refused at its field', async () => {
    const form = await lessonForm()
    form.set('image', new File([new Uint8Array(8 * MEGABYTE + 1)], 'large.jpg'))
    const { status, body } = await app.call<FormError[]>('POST', '/lesson/create', {
      as: ann,
      form,
    })
    expect([status, body[0]?.field, body[0]?.code]).toEqual([413, 'image', 'pictureTooLarge'])
    expect(await storedFiles()).toEqual([])
  })

  test('that a dead process left are removed at the start, others stay', async () => {
    const place = join(app.dataDir, 'left')
    const here = hostname().replaceAll(/[^\w-]/g, '-')
    const name = (host: string, pid: number) => `${host}.${pid}.${randomUUID()}`
    const [dead, alive, other, mine, former, old] = [
      name(here, 2 ** 22 + 1),
      name(here, process.ppid),
      name('elsewhere', 1),
      name(here, process.pid),
      name(here, process.pid),
      name('elsewhere', 1),
    ]
    await mkdir(place)
    for (const file of [dead, alive, other, mine, former, old])
      await writeFile(join(place, file), 'x')
    const before = new Date(performance.timeOrigin - 60_000)
    await utimes(join(place, former), before, before)
    const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000)
    await utimes(join(place, old), longAgo, longAgo)
    await createFormFiles(place)
    expect((await readdir(place)).toSorted()).toEqual([alive, other, mine].toSorted())
  })
})
