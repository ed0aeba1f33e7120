/**
 * Hostile requests over HTTP: forged tokens, fields that nobody may set, and bodies and pictures that expand when
 * they are unpacked.
 */
import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import { brotliCompressSync, constants, deflateSync, gzipSync, crc32 } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { deriveKey } from '#server/people/accounts/sessions/tokens.ts'
import { lessonForm, TEST_SECRET, type Person } from '#server/testing/app.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ WELCOME_POINTS: '100' })
const [ann, bob] = await Promise.all([app.signUp('ann'), app.signUp('bob')])

/** Returns everything about a person that only the server may change. */
async function stateOf(of: Person) {
  const { db } = app.app.database
  const person = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', of.session._id)
    .executeTakeFirstOrThrow()
  const balance = await db
    .selectFrom('point_balances')
    .select('net')
    .where('user_id', '=', of.session._id)
    .executeTakeFirst()
  return { ...person, net: balance?.net }
}

describe('a token', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const hs256 = (key: string | Uint8Array, head: string, claims: string) =>
    createHmac('sha256', key).update(`${head}.${claims}`).digest('base64url')

  test('that is forged, confused, of another key, kind or time opens nothing', async () => {
    const [head = '', claims = '', signature = ''] = ann.session.accessToken.split('.')
    const good = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
    const asBob = part({ ...good, sub: bob.session._id })
    const key = deriveKey(TEST_SECRET, 'access token')
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const signed = (header: unknown, body: unknown, by: string | Uint8Array = key) => {
      const [first, second] = [part(header), part(body)]
      return `${first}.${second}.${hs256(by, first, second)}`
    }
    const usual = { alg: 'HS256' }
    const now = Math.floor(Date.now() / 1000)
    const forged: Record<string, string> = {
      'alg none': `${part({ alg: 'none' })}.${claims}.`,
      'HS384 of our key': `${part({ alg: 'HS384' })}.${claims}.${createHmac('sha384', key)
        .update(`${part({ alg: 'HS384' })}.${claims}`)
        .digest('base64url')}`,
      'a public key as the secret': signed(usual, good, pem),
      'an empty secret': signed(usual, good, new Uint8Array(1)),
      'the master secret itself': signed(usual, good, TEST_SECRET),
      'the key of refresh tokens': signed(usual, good, deriveKey(TEST_SECRET, 'refresh token')),
      'the key of the hub': signed(usual, good, deriveKey(TEST_SECRET, 'hub')),
      'another person, old signature': `${head}.${asBob}.${signature}`,
      'another person, this session': signed(usual, { ...good, sub: bob.session._id }),
      'a session that is none': signed(usual, { ...good, sid: randomUUID() }),
      'a session that is no id': signed(usual, { ...good, sid: "x' OR '1'='1" }),
      'no session': signed(usual, { ...good, sid: undefined }),
      'no person': signed(usual, { ...good, sub: undefined }),
      ended: signed(usual, { ...good, exp: now - 1 }),
      'no end': signed(usual, { ...good, exp: undefined }),
      'not yet': signed(usual, { ...good, nbf: now + 600 }),
      'the refresh cookie': ann.cookie.split('=')[1] ?? '',
    }
    const opened: unknown[] = []
    for (const [name, token] of Object.entries(forged)) {
      const headers = { authorization: `Bearer ${token}` }
      const { status } = await app.call('GET', '/identity/points', { headers })
      if (status !== 401) opened.push([name, status])
    }
    expect(opened).toEqual([])
    expect((await app.call('GET', '/identity/points', { as: ann })).status).toBe(200)
  })
})

describe('a body', () => {
  test('sets no field but those that its call names', async () => {
    const extra = {
      _id: bob.session._id,
      id: bob.session._id,
      userId: bob.session._id,
      user_id: bob.session._id,
      owner: bob.session._id,
      ownerId: bob.session._id,
      sender: bob.session._id,
      senderUsername: 'bob',
      role: 'administrator',
      isAdmin: true,
      kbPoints: 99_999,
      net: 99_999,
      points: 99_999,
      suspended_at: null,
      suspended: false,
      email_confirmed_at: '2020-01-01',
      emailConfirmed: true,
      password_hash: 'x',
      second_factor_at: null,
      likes: 999,
      views: 999,
      price: 0,
      rewarded: true,
      created_at: '2001-01-01',
      date: '2001-01-01',
      can: { see: true, edit: true },
    }
    const form = async (base: FormData = new FormData()) => {
      for (const [name, value] of Object.entries(extra))
        if (name !== 'id') base.set(name, typeof value === 'string' ? value : JSON.stringify(value))
      return base
    }
    const before = { ann: await stateOf(ann), bob: await stateOf(bob) }
    await app.call('PATCH', '/identity/update', { as: ann, form: await form() })
    const made = await app.call<{ id: number }>('POST', '/lesson/create', {
      as: ann,
      form: await form(await lessonForm()),
    })
    const letter = { ...extra, text: 'Hello there', receiverUsername: 'bob' }
    const sent = await app.call<{ senderUsername: string; date: string }>(
      'POST',
      '/message/create',
      { as: ann, json: letter },
    )
    await app.call('POST', '/identity/login', {
      json: { ...extra, username: 'ann', password: ann.password },
    })
    await app.call('POST', '/identity/sessions/revoke', { as: bob, json: extra })
    const after = { ann: await stateOf(ann), bob: await stateOf(bob) }
    const still = (of: typeof before.ann) => ({ ...of, net: null })
    expect(still(after.ann)).toEqual(still(before.ann))
    expect(after.bob).toEqual(before.bob)
    // The usual reward of a lesson.
    expect(after.ann.net).toBe((before.ann.net ?? 0) + 100)
    expect(sent.body.senderUsername).toBe('ann')
    expect(new Date(sent.body.date).getFullYear()).toBeGreaterThan(2020)
    const row = await app.app.database.db
      .selectFrom('lessons')
      .selectAll()
      .where('id', '=', made.body.id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ owner_id: ann.session._id, likes: 0, views: 0 })
  })

  test('that is packed is not unpacked', async () => {
    const zeros = Buffer.alloc(32 * 1024 * 1024, 0x20)
    const json = Buffer.concat([Buffer.from('{"text":"'), zeros, Buffer.from('"}')])
    const packed = {
      gzip: gzipSync(json),
      deflate: deflateSync(json),
      // Its best quality takes so long that the client's idle connections would end meanwhile.
      br: brotliCompressSync(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    }
    const before = process.memoryUsage().rss
    for (const [encoding, body] of Object.entries(packed)) {
      const { status } = await fetch(`${app.url}/api/message/create`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-encoding': encoding,
          authorization: `Bearer ${ann.session.accessToken}`,
        },
        body,
      })
      expect([encoding, status]).toEqual([encoding, 400])
    }
    // A hundredth of the unpacked size, times the number of requests.
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
  })
})

describe('a picture', () => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const head = Buffer.alloc(4)
    head.writeUInt32BE(data.length)
    const tail = Buffer.alloc(4)
    tail.writeUInt32BE(crc32(body))
    return Buffer.concat([head, body, tail])
  }
  /** Returns a small PNG with an extra chunk before its pixels. */
  const pngWith = async (type: string, data: Buffer) => {
    const plain = await sharp({
      create: { width: 8, height: 8, channels: 3, background: '#123456' },
    })
      .png()
      .toBuffer()
    return Buffer.concat([plain.subarray(0, 33), chunk(type, data), plain.subarray(33)])
  }
  const send = async (bytes: Buffer, name: string, type: string) => {
    const form = await lessonForm()
    form.set('image', new File([new Uint8Array(bytes)], name, { type }))
    return app.call<{ id: number }>('POST', '/lesson/create', { as: ann, form })
  }
  test('that expands when it is decoded is refused or costs little', async () => {
    const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024))
    const header = Buffer.alloc(13)
    header.writeUInt32BE(60_000, 0)
    header.writeUInt32BE(60_000, 4)
    header.set([1, 0], 8)
    const flood = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Buffer.alloc(1024 * 1024))),
      chunk('IEND', Buffer.alloc(0)),
    ])
    const bombs: [string, Buffer][] = [
      ['pixels', flood],
      ['compressed text', await pngWith('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), bomb]))],
      ['colour profile', await pngWith('iCCP', Buffer.concat([Buffer.from('profile\0\0'), bomb]))],
    ]
    const before = process.memoryUsage().rss
    for (const [name, bytes] of bombs) {
      const { status } = await send(bytes, 'bomb.png', 'image/png')
      expect([name, [200, 400].includes(status)]).toEqual([name, true])
      if (name === 'pixels') expect(status).toBe(400)
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1024 * 1024)
    expect((await app.call('GET', '/lesson/newest')).status).toBe(200)
  })
})
