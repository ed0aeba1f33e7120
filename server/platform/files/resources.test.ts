/** Tests uploads and downloads of resources over real sockets. */
import { createHash, randomBytes } from 'node:crypto'
import { readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { connect as connectSocket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { Upload as TusClient } from 'tus-js-client'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { UploadedResource } from '#contract/files.ts'
import { RESOURCE_BYTES, UPLOAD_QUOTA_BYTES } from '#contract/limits.ts'
import { claimUpload, clearUnattached, releaseUpload } from '#server/platform/files/resources.ts'
import { registerFiles } from '#server/platform/files/routes.ts'
import { createDiskStorage } from '#server/platform/files/places/disk.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { createLog } from '#server/kernel/log.ts'
import { answerError, bearerOf, readCookies } from '#server/kernel/http/http.ts'
import { newId } from '#server/kernel/ids.ts'
import { connectTestDatabase } from '#server/testing/database.ts'
import { makeTestFolder } from '#server/testing/folder.ts'

let time: Date
const clock = { now: () => time }
const viewers = new Map<string, Viewer>()
/** Usernames of readers by lesson. */
const readers = new Map<number, readonly string[]>()
let lessonCount = 0

const folder = await makeTestFolder()
const connection = await connectTestDatabase()
const storage = await createDiskStorage(folder)
for (const name of ['ann', 'bob', 'hoarder', 'suspended']) await addUser(name)
const byName = async (name: string | null | undefined) => viewers.get(name ?? '') ?? null
const app = Fastify({ routerOptions: { maxParamLength: 300 } })
app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
await app.register(multipart, { throwFileSizeLimit: false })
await registerFiles(app, {
  db: connection.db,
  forms: { upload: (_, take) => take() },
  storage,
  clock,
  log: createLog('silent'),
  viewerOfBearer: byName,
  viewerOf: (request) => byName(bearerOf(request) ?? readCookies(request.headers.cookie)['kb']),
  maySeeLesson: async (viewer, lessonId) =>
    viewer !== null && (readers.get(lessonId) ?? []).includes(viewer.username),
})
const url = await app.listen({ port: 0, host: '127.0.0.1' })
beforeEach(() => {
  time = new Date('2030-01-02T03:04:05Z')
})
afterAll(async () => {
  await app.close()
  await connection.close()
})

async function addUser(username: string): Promise<void> {
  const id = newId()
  viewers.set(username, {
    id,
    username,
    role: 'user',
    suspended: username === 'suspended',
    sessionId: newId(),
    wroteLately: false,
  })
  await connection.db
    .insertInto('users')
    .values({
      id,
      username,
      username_skeleton: username,
      username_folded: username,
      email: `${username}@people.example`,
      email_folded: `${username}@people.example`,
      password_hash: '-',
    })
    .execute()
}

const idOf = (name: string) => viewers.get(name)?.id ?? ''
const bearer = (name: string | null): Record<string, string> =>
  name === null ? {} : { authorization: `Bearer ${name}` }
const PATH = '/api/upload/resource'

async function post(
  name: string | null,
  file: { name: string; bytes: Uint8Array } | null,
  headers: Record<string, string> = {},
) {
  const form = new FormData()
  if (file !== null) form.set('file', new File([new Uint8Array(file.bytes)], file.name))
  form.set('note', 'ignored')
  const response = await fetch(`${url}${PATH}`, {
    method: 'POST',
    body: form,
    headers: { ...bearer(name), ...headers },
  })
  const body: unknown = await response.json()
  return { status: response.status, body }
}

async function upload(
  name: string,
  fileName = 'plan.txt',
  bytes: Uint8Array = Buffer.from('what is in it'),
): Promise<UploadedResource> {
  const { status, body } = await post(name, { name: fileName, bytes })
  expect(status).toBe(200)
  return body as UploadedResource
}

const claim = (ownerId: string, address: string, lessonId: number) =>
  connection.db.transaction().execute((tx) => claimUpload(tx, { ownerId, url: address, lessonId }))

const release = (lessonId: number) =>
  connection.db.transaction().execute((tx) => releaseUpload(tx, lessonId))

/** Uploads a file to a lesson that these people may see. */
async function attached(...names: string[]): Promise<UploadedResource & { lessonId: number }> {
  lessonCount += 1
  const resource = await upload('ann')
  await claim(idOf('ann'), resource.url, lessonCount)
  readers.set(lessonCount, names)
  return { ...resource, lessonId: lessonCount }
}

const countRows = async () =>
  (await connection.db.selectFrom('uploads').select('id').execute()).length
const statusOf = async (path: string) =>
  (await fetch(url + path, { headers: bearer('ann') })).status

describe('a resource', () => {
  test('is forbidden to guests and to people without access', async () => {
    const { url: path } = await attached('ann')
    const guest = await fetch(url + path)
    expect([guest.status, guest.headers.get('content-type')]).toEqual([
      401,
      'application/problem+json; charset=utf-8',
    ])
    expect(await guest.text()).not.toContain('what is in it')
    for (const method of ['GET', 'HEAD']) {
      const stranger = await fetch(url + path, { method, headers: bearer('bob') })
      expect([stranger.status, stranger.headers.get('content-disposition')]).toEqual([403, null])
    }
  })

  test('is not found under another URL', async () => {
    for (const path of [
      `/files/resources/${newId()}/plan.txt`,
      '/files/resources/1/plan.txt',
      '/files/resources/..%2f..%2fx/y',
    ]) {
      expect(await statusOf(path)).toBe(404)
    }
  })

  test('is a download for who may see its lesson', async () => {
    const { url: path } = await attached('bob')
    for (const headers of [bearer('bob'), { cookie: 'kb=bob' }]) {
      const response = await fetch(url + path, { headers })
      expect(response.status).toBe(200)
      expect(await response.text()).toBe('what is in it')
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-disposition': `attachment; filename="plan.txt"; filename*=UTF-8''plan.txt`,
        'content-type': 'application/octet-stream',
        'content-length': '13',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'",
      })
    }
  })

  test('that the disk has lost or truncated is not found', async () => {
    const { url: path } = await attached('ann')
    const file = join(folder, 'resources', path.split('/')[3] ?? '')
    for (const break_ of [() => truncate(file, 3), () => truncate(file, 0), () => rm(file)]) {
      await break_()
      expect(await statusOf(path)).toBe(404)
    }
  })

  test('supports ranges', async () => {
    const { url: path } = await attached('bob')
    const part = async (range: string, more: Record<string, string> = {}) => {
      const response = await fetch(url + path, { headers: { ...bearer('bob'), range, ...more } })
      return [
        response.status,
        response.headers.get('content-range'),
        response.status < 400 ? await response.text() : '',
      ]
    }
    expect(await part('bytes=0-3')).toEqual([206, 'bytes 0-3/13', 'what'])
    expect(await part('bytes=11-')).toEqual([206, 'bytes 11-12/13', 'it'])
    expect(await part('bytes=-2')).toEqual([206, 'bytes 11-12/13', 'it'])
    expect(await part('bytes=11-99')).toEqual([206, 'bytes 11-12/13', 'it'])
    expect(await part('bytes=13-')).toEqual([416, 'bytes */13', ''])
    expect(await part('bytes=-0')).toEqual([416, 'bytes */13', ''])
    for (const nonsense of ['bytes=3-1', 'bytes=-', 'bytes=0-1,3-4', 'lines=1-2'])
      expect(await part(nonsense)).toEqual([200, null, 'what is in it'])
    expect(await part('bytes=0-3', { 'if-range': '"another"' })).toEqual([
      200,
      null,
      'what is in it',
    ])
    const head = await fetch(url + path, { method: 'HEAD', headers: bearer('bob') })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '13'])
  })
})

describe('an upload in one request', () => {
  const small = { name: 'a.txt', bytes: Buffer.from('a') }

  test('needs a bearer token, and accepts no list', async () => {
    const before = await countRows()
    expect(await post(null, small, { cookie: 'kb=ann' })).toEqual({
      status: 401,
      body: [{ code: 'unauthorized', description: 'Please sign in first.' }],
    })
    expect(await post('suspended', small)).toMatchObject({ body: [{ code: 'suspended' }] })
    expect(await countRows()).toBe(before)
  })

  test('needs a file that is not empty', async () => {
    expect(await post('ann', null)).toMatchObject({
      status: 400,
      body: [{ code: 'fileRequired', field: 'file' }],
    })
    expect(await post('ann', { name: 'empty.txt', bytes: Buffer.alloc(0) })).toMatchObject({
      status: 400,
      body: [{ code: 'fileRequired' }],
    })
    const json = await fetch(`${url}${PATH}`, {
      method: 'POST',
      body: '{}',
      headers: { ...bearer('ann'), 'content-type': 'application/json' },
    })
    expect([json.status, await json.json()]).toMatchObject([415, [{ code: 'unsupportedType' }]])
  })

  test('of exactly 50 MB is accepted; one byte more is refused and leaves nothing', async () => {
    const bytes = Buffer.alloc(RESOURCE_BYTES + 1, 'x')
    expect((await upload('ann', 'full.bin', bytes.subarray(1))).size).toBe(RESOURCE_BYTES)
    const before = await countRows()
    expect(await post('ann', { name: 'over.bin', bytes })).toEqual({
      status: 413,
      body: [
        { code: 'fileTooLarge', description: 'The file must be at most 50 MB.', field: 'file' },
      ],
    })
    expect(await countRows()).toBe(before)
    expect(await readdir(join(folder, 'unfinished'))).toEqual([])
  })

  test('comes back byte for byte', async () => {
    const bytes = randomBytes(5_000_000)
    const { url: path } = await upload('ann', 'noise.bin', bytes)
    const download = await fetch(url + path, { headers: bearer('ann') })
    expect(bytes.equals(Buffer.from(await download.arrayBuffer()))).toBe(true)
  })

  test('that is aborted leaves nothing', async () => {
    const before = await countRows()
    const socket = connectSocket(Number(new URL(url).port), '127.0.0.1')
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ann\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 5000000\r\n\r\n${head}`,
    )
    socket.write(Buffer.alloc(300_000))
    await expect.poll(countRows).toBe(before + 1)
    socket.destroy()
    await expect.poll(countRows).toBe(before)
    expect(await readdir(join(folder, 'unfinished'))).toEqual([])
  })

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\fakepath\\Отчёт 1.pdf', 'Отчёт 1.pdf'],
    ['a\u0000b\u202egnp.exe', 'abgnp.exe'],
    ['  ..  ', 'file'],
    ['"quoted"; x=y.txt', '"quoted"; x=y.txt'],
  ])('cleans the name %j', async (given, kept) => {
    // Browsers escape only quotes in file names.
    const body = Buffer.from(
      `--b\r\ncontent-disposition: form-data; name="file"; filename="${given.replaceAll('\\', '\\\\').replaceAll('"', '%22')}"\r\n\r\nx\r\n--b--\r\n`,
    )
    const response = await fetch(`${url}${PATH}`, {
      method: 'POST',
      body,
      headers: { ...bearer('ann'), 'content-type': 'multipart/form-data; boundary=b' },
    })
    const answer = (await response.json()) as UploadedResource
    expect(answer.name.replaceAll('%22', '"')).toBe(kept)
    const download = await fetch(url + answer.url, { headers: bearer('ann') })
    const disposition = download.headers.get('content-disposition') ?? ''
    expect(decodeURIComponent(disposition.split("''")[1] ?? '')).toBe(answer.name)
  })

  test('cuts a long name and keeps its ending', async () => {
    for (const letter of ['a', 'я', '語', '👩‍🏫']) {
      const { name, url: path } = await upload(
        'ann',
        `${letter.repeat(250)}${letter.repeat(20)}.pdf`,
      )
      expect(name.endsWith(`${letter}.pdf`)).toBe(true)
      expect([...name].length).toBeLessThanOrEqual(255)
      expect(path.length).toBeLessThanOrEqual(2000)
      expect(await statusOf(path)).toBe(200)
    }
  })
})

describe('an upload in pieces', () => {
  const TUS = { 'tus-resumable': '1.0.0' }
  const create = (name: string | null, size: number, headers: Record<string, string> = {}) =>
    fetch(`${url}${PATH}`, {
      method: 'POST',
      headers: {
        ...bearer(name),
        ...TUS,
        'upload-length': `${size}`,
        'upload-metadata': `filename ${Buffer.from('план.pdf').toString('base64')}`,
        ...headers,
      },
    })
  const patch = (name: string | null, path: string, offset: number, body: Uint8Array | string) =>
    fetch(url + path, {
      method: 'PATCH',
      headers: {
        ...bearer(name),
        ...TUS,
        'upload-offset': `${offset}`,
        'content-type': 'application/offset+octet-stream',
      },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    })
  const head = (name: string | null, path: string) =>
    fetch(url + path, { method: 'HEAD', headers: { ...bearer(name), ...TUS } })
  const started = async (name: string, size: number) => {
    const response = await create(name, size)
    expect(response.status).toBe(201)
    return response.headers.get('location') ?? ''
  }

  test('needs a bearer token and a valid size to begin', async () => {
    const before = await countRows()
    expect((await create(null, 10, { cookie: 'kb=ann' })).status).toBe(401)
    const large = await create('ann', RESOURCE_BYTES + 1)
    expect([large.status, await large.json()]).toMatchObject([
      413,
      [{ code: 'fileTooLarge', field: 'file' }],
    ])
    const empty = await create('ann', 0)
    expect([empty.status, await empty.json()]).toMatchObject([400, [{ code: 'fileRequired' }]])
    for (const headers of [
      { 'upload-length': '-1' },
      { 'upload-length': 'x' },
      { 'tus-resumable': '2.0.0' },
      { 'upload-metadata': 'a,a' },
    ]) {
      const response = await create('ann', 10, headers)
      expect([response.status, await response.json()]).toMatchObject([
        400,
        [{ code: 'badRequest' }],
      ])
    }
    expect(await countRows()).toBe(before)
  })

  test('with concatenation or deferred length is refused with a message', async () => {
    const before = await countRows()
    const unknown = { ...bearer('ann'), ...TUS, 'upload-defer-length': '1' }
    for (const answer of [
      await create('ann', 10, { 'upload-concat': 'partial' }),
      await create('ann', 10, { 'upload-concat': `final;${PATH}/a ${PATH}/b` }),
      await create('ann', 10, { 'upload-defer-length': '1' }),
      await fetch(`${url}${PATH}`, { method: 'POST', headers: unknown }),
    ]) {
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        [{ code: 'uploadKindUnknown', field: 'file' }],
      ])
    }
    expect(await countRows()).toBe(before)
  })

  test('is continued only by its creator, and at its own URL', async () => {
    const path = await started('ann', 10)
    expect((await patch('bob', path, 0, 'stolen')).status).toBe(403)
    for (const other of [newId(), '..%2fx'])
      expect((await patch('ann', path.replace(/[^/]+$/, other), 0, 'x')).status).toBe(404)
  })

  test('continues where it was, and ends with a URL', async () => {
    const path = await started('ann', 10)
    const first = await patch('ann', path, 0, '01234')
    expect([
      first.status,
      first.headers.get('upload-offset'),
      first.headers.get('access-control-allow-origin'),
    ]).toEqual([204, '5', null])
    expect((await patch('ann', path, 3, '34')).status).toBe(409)
    expect((await patch('ann', path, 5, '5678901')).status).toBe(413)
    const offset = Number((await head('ann', path)).headers.get('upload-offset'))
    const last = await patch('ann', path, offset, '0123456789'.slice(offset))
    const resource = (await last.json()) as UploadedResource
    expect(last.status).toBe(200)
    expect(resource).toMatchObject({ name: 'план.pdf', size: 10 })
    expect(last.headers.get('x-resource-url')).toBe(resource.url)
    expect(await (await fetch(url + resource.url, { headers: bearer('ann') })).text()).toBe(
      '0123456789',
    )
    const again = await head('ann', path)
    expect([
      again.status,
      again.headers.get('upload-offset'),
      again.headers.get('x-resource-url'),
    ]).toEqual([200, '10', resource.url])
  })

  test('is no resource before it is complete', async () => {
    const path = await started('ann', 10)
    await patch('ann', path, 0, '01234')
    const address = `/files/resources/${path.split('/').at(-1)}/%D0%BF%D0%BB%D0%B0%D0%BD.pdf`
    expect(await statusOf(address)).toBe(404)
    await expect(claim(idOf('ann'), address, 900)).rejects.toMatchObject({ key: 'uploadUnknown' })
  })

  test('cut off in the middle is resumed by the client', async () => {
    const bytes = randomBytes(6_000_000)
    const path = await started('ann', bytes.length)
    const socket = connectSocket(Number(new URL(url).port), '127.0.0.1')
    socket.write(
      `PATCH ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ann\r\ntus-resumable: 1.0.0\r\nupload-offset: 0\r\ncontent-type: application/offset+octet-stream\r\ncontent-length: ${bytes.length}\r\n\r\n`,
    )
    socket.write(bytes.subarray(0, 3_000_000))
    const file = join(folder, 'resources', path.split('/').at(-1) ?? '')
    await expect.poll(async () => (await stat(file)).size).toBeGreaterThan(2_000_000)
    socket.destroy()
    await sleep(100)
    const sent: number[] = []
    const body = await new Promise<string>((resolve, reject) => {
      const client = new TusClient(bytes, {
        uploadUrl: url + path,
        headers: bearer('ann'),
        retryDelays: [100, 500],
        onProgress: (done) => sent.push(done),
        onSuccess: ({ lastResponse }) => resolve(lastResponse.getBody()),
        onError: reject,
      })
      client.start()
    })
    expect(sent[0]).toBeGreaterThan(2_000_000)
    const resource = JSON.parse(body) as UploadedResource
    const stored = Buffer.from(
      await (await fetch(url + resource.url, { headers: bearer('ann') })).arrayBuffer(),
    )
    expect(createHash('sha256').update(stored).digest('hex')).toBe(
      createHash('sha256').update(bytes).digest('hex'),
    )
  })

  test('may be deleted until a lesson has it', async () => {
    const drop = (path: string) =>
      fetch(url + path, { method: 'DELETE', headers: { ...bearer('ann'), ...TUS } })
    const path = await started('ann', 4)
    const last = await patch('ann', path, 0, 'done')
    const { url: address } = (await last.json()) as UploadedResource
    lessonCount += 1
    await claim(idOf('ann'), address, lessonCount)
    expect((await drop(path)).status).toBe(409)
    expect(await statusOf(address)).toBe(403)
    await release(lessonCount)
    expect((await drop(path)).status).toBe(204)
    expect((await head('ann', path)).status).toBe(404)
    expect(await statusOf(address)).toBe(404)
  })
})

describe("a person's space", () => {
  test('ends at 1 GB, also for concurrent uploads', async () => {
    const fill = (size: number) =>
      connection.db
        .insertInto('uploads')
        .values({ id: newId(), owner_id: idOf('hoarder'), name: 'x', size, created_at: time })
        .execute()
    const pieces = Math.floor(UPLOAD_QUOTA_BYTES / RESOURCE_BYTES)
    for (let piece = 0; piece < pieces; piece += 1) await fill(RESOURCE_BYTES)
    const left = UPLOAD_QUOTA_BYTES - pieces * RESOURCE_BYTES
    await fill(left - 30)
    const create = () =>
      fetch(`${url}${PATH}`, {
        method: 'POST',
        headers: { ...bearer('hoarder'), 'tus-resumable': '1.0.0', 'upload-length': '10' },
      })
    const answers = await Promise.all(Array.from({ length: 10 }, create))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    const refused = answers.find(({ status }) => status !== 201)
    expect([refused?.status, await refused?.json()]).toMatchObject([413, [{ code: 'uploadQuota' }]])
    expect(await post('hoarder', { name: 'a.txt', bytes: Buffer.from('a') })).toMatchObject({
      status: 413,
      body: [{ code: 'uploadQuota' }],
    })
    expect((await post('bob', { name: 'a.txt', bytes: Buffer.from('a') })).status).toBe(200)
  })
})

describe('a lesson', () => {
  test("may use only one's own unattached upload", async () => {
    const [mine, others] = [await upload('ann'), await upload('bob')]
    const addresses = [
      others.url,
      `/files/resources/${newId()}/x`,
      '/files/resources/x/y',
      '/files/pictures/x',
      `${mine.url}?x`,
      `${mine.url}/..`,
    ]
    for (const address of addresses) {
      await expect(claim(idOf('ann'), address, 801)).rejects.toMatchObject({
        status: 400,
        fields: { resources: 'uploadUnknown' },
      })
    }
    await claim(idOf('ann'), mine.url, 801)
    await expect(claim(idOf('ann'), mine.url, 802)).rejects.toMatchObject({ key: 'uploadUnknown' })
  })

  test('keeps its file, whoever edits it', async () => {
    const mine = await upload('ann', 'mine.txt')
    await claim(idOf('ann'), mine.url, 803)
    expect(await claim(idOf('ann'), mine.url, 803)).toBe(mine.url)
    expect(await claim(idOf('bob'), mine.url.replace('mine.txt', 'else.txt'), 803)).toBe(mine.url)
  })

  test('gets an upload that two claim at once only once', async () => {
    const mine = await upload('ann')
    const results = await Promise.allSettled([
      claim(idOf('ann'), mine.url, 804),
      claim(idOf('ann'), mine.url, 805),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

test('a start removes day-old unfinished files, and nothing in progress', async () => {
  const unfinished = join(folder, 'unfinished')
  const dayAgo = new Date(Date.now() - 25 * 60 * 60 * 1000)
  for (const name of ['old', 'new']) await writeFile(join(unfinished, name), 'part of a file')
  await utimes(join(unfinished, 'old'), dayAgo, dayAgo)
  await createDiskStorage(folder)
  expect(await readdir(unfinished)).toEqual(['new'])
  await rm(join(unfinished, 'new'))
})

describe('clearing', () => {
  test('removes what no lesson used for 24 hours', async () => {
    await sql`delete from uploads`.execute(connection.db)
    const [free, used, released] = [
      await upload('ann'),
      await attached('ann'),
      await attached('ann'),
    ]
    await release(released.lessonId)
    time = new Date(time.getTime() + 24 * 3_600_000)
    expect(await clearUnattached(connection.db, storage, clock)).toBe(0)
    const fresh = await upload('ann')
    time = new Date(time.getTime() + 1)
    expect(await clearUnattached(connection.db, storage, clock)).toBe(2)
    const statuses = await Promise.all(
      [free, used, released, fresh].map(({ url: path }) => statusOf(path)),
    )
    expect(statuses).toEqual([404, 200, 404, 200])
    expect(await storage.sizeOf(`resources/${free.url.split('/')[3]}`)).toBeNull()
  })
})
