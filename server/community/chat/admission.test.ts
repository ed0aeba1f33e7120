/** Tests that one person or address can't use up the hub. */
import { HubConnectionState } from '@microsoft/signalr'
import { afterAll, describe, expect, test } from 'vitest'
import {
  HUB_CALLS_A_MINUTE,
  HUB_CONNECTIONS,
  HUB_REQUESTS_A_MINUTE,
  NEGOTIATIONS_A_MINUTE,
} from '#contract/limits.ts'
import { createAdmission } from '#server/community/chat/admission.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { buildConnection } from '#server/testing/http/hub.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: '1' })
const ann = await app.signUp('ann')
afterAll(() => app.close())

async function negotiate(address: string, person?: Person, node = app) {
  const answer = await fetch(`${node.url}/chatHub/negotiate?negotiateVersion=1`, {
    method: 'POST',
    headers: {
      'x-forwarded-for': address,
      ...(person !== undefined && { authorization: `Bearer ${person.session.accessToken}` }),
    },
  })
  await answer.arrayBuffer()
  return { status: answer.status, again: Number(answer.headers.get('retry-after')) }
}

const times = async (count: number, work: (number: number) => Promise<{ status: number }>) => {
  const statuses = new Map<number, number>()
  for (let number = 0; number < count; number += 20) {
    const some = Array.from({ length: Math.min(20, count - number) }, (_, place) =>
      work(number + place),
    )
    for (const { status } of await Promise.all(some))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  return Object.fromEntries(statuses)
}

test('an address with too many negotiations is refused before authentication', async () => {
  const network = (number: number) => `2001:db8:0:7::${number.toString(16)}`
  const most = NEGOTIATIONS_A_MINUTE.network
  expect(await times(most, (number) => negotiate(network(number + 1)))).toEqual({ 401: most })
  // A few become available again while the others are requested.
  let again = 0
  for (let round = 0; round < 100 && again === 0; round += 1) {
    const others = Array.from({ length: 19 }, () => negotiate(network(9999)))
    const [signedIn] = await Promise.all([negotiate(network(9999), ann), ...others])
    if (signedIn.status === 429) again = signedIn.again
  }
  expect(again).toBeGreaterThan(0)
  expect(again).toBeLessThanOrEqual(60)
  // The next household is another network.
  expect((await negotiate('2001:db8:0:8::1', ann)).status).toBe(200)
})

test('a person has a limited number of connections, from any address', async () => {
  const eve = await app.signUp('eve')
  const most = HUB_CONNECTIONS.person
  const counted = await times(most, (number) => negotiate(`10.1.${number}.1`, eve))
  expect(counted).toEqual({ 200: most })
  const { status, again } = await negotiate('10.2.0.1', eve)
  expect([status, again]).toEqual([429, 15])
  expect((await negotiate('10.2.0.1', ann)).status).toBe(200)
})

describe('the count', () => {
  const from = (address: string) =>
    ({ socket: { remoteAddress: address }, headers: {} }) as Parameters<
      ReturnType<typeof createAdmission>['knock']
    >[0]

  test('has room again when a connection ends', () => {
    const admission = createAdmission(0)
    const leave = Array.from({ length: HUB_CONNECTIONS.network }, (_, number) =>
      admission.enter(from('10.4.0.1'), { id: `p${number}` }),
    )
    expect(admission.enter(from('10.4.0.1'), { id: 'late' })).toEqual({ seconds: 15 })
    const [first] = leave
    if (first !== undefined && 'leave' in first) first.leave()
    expect(admission.enter(from('10.4.0.1'), { id: 'late' })).toHaveProperty('leave')
  })

  test('covers a person over all addresses, and recovers within a minute', () => {
    let now = 0
    const admission = createAdmission(0, () => now)
    const enter = (number: number) => {
      const entered = admission.enter(from(`10.5.${number % 200}.1`), { id: 'one' })
      if ('leave' in entered) entered.leave()
      return entered
    }
    for (let number = 0; number < NEGOTIATIONS_A_MINUTE.person; number += 1)
      expect(enter(number)).toHaveProperty('leave')
    expect(enter(0)).toEqual({ seconds: 1 })
    now = 60_000
    for (let number = 0; number < NEGOTIATIONS_A_MINUTE.person; number += 1)
      expect(enter(number)).toHaveProperty('leave')
    expect(enter(0)).toEqual({ seconds: 1 })
  })

  test('covers calls of the person and of the network, on any connection', () => {
    let now = 0
    const admission = createAdmission(0, () => now)
    const call = (user: string, address: string) => {
      const entered = admission.enter(from(address), { id: user })
      if (!('leave' in entered)) throw new Error('nobody was let in')
      const answer = entered.call?.()
      entered.leave()
      return answer
    }
    const { person, network } = HUB_CALLS_A_MINUTE
    let admitted = 0
    // The calls are one person's, from two networks and over many connections.
    for (let number = 0; number < 100; number += 1) {
      const entered = admission.enter(from(`10.6.${number % 2}.1`), { id: 'a' })
      if (!('leave' in entered)) throw new Error('nobody was let in')
      for (let round = 0; round < 10; round += 1) if (entered.call?.() === null) admitted += 1
      entered.leave()
    }
    expect(admitted).toBe(person)
    // Others in a network have the rest of its share, and other networks have all of theirs.
    let others = 0
    for (let number = 0; number < network; number += 1)
      if (call(`b${number % 100}`, '10.6.0.1') === null) others += 1
    expect(others).toBe(network - person / 2)
    expect(call('c', '10.6.0.1')).toEqual({
      seconds: 1,
      text: 'Too many requests. Please wait a moment.',
    })
    expect(call('c', '10.6.0.2')).toBeNull()
    now = 60_000
    expect(call('c', '10.6.0.1')).toBeNull()
  })

  test('covers polls and posts of a network before authentication', () => {
    const admission = createAdmission(0, () => 0)
    for (let number = 0; number < HUB_REQUESTS_A_MINUTE; number += 1)
      expect(admission.request?.(from('10.7.0.1'))).toBeNull()
    expect(admission.request?.(from('10.7.0.1'))).toEqual({ seconds: 1 })
    expect(admission.request?.(from('10.7.0.2'))).toBeNull()
  })
})

test('forty connections of one person that call in a loop are refused, closed, and delay nobody', async () => {
  const { loud, quiet } = await signUpAll(app, 'loud', 'quiet')
  const open = async (person: Person, address: string) => {
    const headers = { 'x-forwarded-for': address, 'accept-language': 'bg' }
    const connection = buildConnection(app, person.session.accessToken, { headers })
    await connection.start()
    return connection
  }
  const noisy = await Promise.all(
    Array.from({ length: 40 }, (_, place) => open(loud, `10.8.${place}.1`)),
  )
  const calm = await open(quiet, '10.9.0.1')
  const words = new Set<string>()
  let refusals = 0
  const loops = noisy.map(async (connection) => {
    while (connection.state === HubConnectionState.Connected)
      await connection.invoke('Subscribe', 'loud').catch((error: Error) => {
        refusals += 1
        words.add(error.message)
      })
  })
  let slowest = 0
  while (noisy.some(({ state }) => state === HubConnectionState.Connected)) {
    const began = performance.now()
    await calm.invoke('Subscribe', 'quiet')
    await done(app, quiet, 'GET /message/unread')
    slowest = Math.max(slowest, performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  await Promise.all(loops)
  expect(slowest).toBeLessThan(3000)
  expect(refusals).toBeGreaterThan(40 * 100)
  expect([...words].join()).toContain('Твърде много заявки. Моля, изчакайте малко.')
  await calm.invoke('Subscribe', 'quiet')
  await calm.stop()
})
