/** Tests that one request at a time writes a resumable upload, on either of two nodes. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Person, TestApp } from '#server/testing/app.ts'
import { sample } from '#server/testing/lane.ts'
import { startS3 } from '#server/testing/s3/server.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'
import { bearer, sha } from '#server/testing/http/uploads.ts'

const s3 = closeAtEnd(await startS3())

const SIZE = 12_000_000
const HALF = 6_000_000

describe.each(sample(['a shared disk', 'a bucket']))('two nodes with %s', (place) => {
  let near: TestApp
  let far: TestApp
  let ann: Person
  beforeAll(async () => {
    const environment: Record<string, string> = place === 'a bucket' ? { S3_URL: s3.url } : {}
    near = await openTestApp(environment)
    far = await openTestApp({ ...environment, DATA_DIR: near.dataDir }, null, near)
    ann = await near.signUp('ann')
  })

  const headers = () => ({ ...bearer(ann), 'tus-resumable': '1.0.0' })

  async function begin(): Promise<{ path: string; id: string }> {
    const begun = await fetch(`${near.url}/api/upload/resource`, {
      method: 'POST',
      headers: { ...headers(), 'upload-length': `${SIZE}` },
    })
    const path = begun.headers.get('location') ?? ''
    return { path, id: path.split('/').at(-1) ?? '' }
  }

  const send = (
    node: TestApp,
    path: string,
    offset: number,
    body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  ) =>
    fetch(node.url + path, {
      method: 'PATCH',
      headers: {
        ...headers(),
        'upload-offset': `${offset}`,
        'content-type': 'application/offset+octet-stream',
      },
      body,
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    })

  const offsetAt = async (node: TestApp, path: string) => {
    const answer = await fetch(node.url + path, { method: 'HEAD', headers: headers() })
    return Number(answer.headers.get('upload-offset'))
  }

  const holderOf = async (id: string) => {
    const { rows } = await sql<{ holder: string | null }>`
      select holder from uploads where id = ${id}`.execute(near.app.database.db)
    return rows[0]?.holder ?? null
  }

  test('a request at another node ends the one that hangs at the first', async () => {
    const bytes = randomBytes(SIZE)
    const { path, id } = await begin()
    const { promise: wrong, resolve: sendWrong } = Promise.withResolvers<void>()
    const hanging = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(new Uint8Array(bytes.subarray(0, HALF))),
      pull: async (stream) => {
        await wrong
        stream.enqueue(new Uint8Array(HALF))
        stream.close()
      },
    })
    const first = send(near, path, 0, hanging).then(
      ({ status }) => status,
      () => 0,
    )
    await expect.poll(() => holderOf(id)).not.toBeNull()
    await sleep(500)
    const offset = await offsetAt(far, path)
    expect([offset > 0, offset <= HALF]).toEqual([true, true])
    const second = send(far, path, offset, new Uint8Array(bytes.subarray(offset)))
    await sleep(50)
    sendWrong()
    const last = await second
    expect(last.status).toBe(200)
    // Everything received until then is stored and reported, so that the other request can continue from there.
    expect([0, 204]).toContain(await first)
    const url = last.headers.get('x-resource-url') ?? ''
    for (const node of [near, far]) {
      const file = await fetch(node.url + url, { headers: bearer(ann) })
      expect(sha(Buffer.from(await file.arrayBuffer()))).toBe(sha(bytes))
    }
    expect(await holderOf(id)).toBeNull()
  })

  test('of two pieces for the same offset at both nodes one is accepted, and none is mixed', async () => {
    const [one, other] = [randomBytes(SIZE), randomBytes(SIZE)]
    const { path } = await begin()
    const answers = await Promise.all([
      send(near, path, 0, new Uint8Array(one)),
      send(far, path, 0, new Uint8Array(other)),
    ])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    const url = answers.find(({ ok }) => ok)?.headers.get('x-resource-url') ?? ''
    const file = await fetch(far.url + url, { headers: bearer(ann) })
    const taken = answers[0]?.ok === true ? one : other
    expect(sha(Buffer.from(await file.arrayBuffer()))).toBe(sha(taken))
  })

  test('the lock of a killed node expires', async () => {
    const { path, id } = await begin()
    await sql`update uploads set holder = ${randomUUID()}, held_until = now() + interval '2 s'
      where id = ${id}`.execute(near.app.database.db)
    const begun = performance.now()
    const sent = await send(far, path, 0, new Uint8Array(1000))
    expect([sent.status, sent.headers.get('upload-offset')]).toEqual([204, '1000'])
    expect(performance.now() - begun).toBeGreaterThan(1500)
  })
})
