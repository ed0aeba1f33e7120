/** One person or address may not have the hub for itself. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HUB_CONNECTIONS, NEGOTIATIONS_A_MINUTE } from '#contract/limits.ts'
import { createAdmission } from '#server/chat/admission.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'

let app: TestApp
let ann: Person
beforeAll(async () => {
  app = await createTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: '1' })
  ann = await app.signUp('ann')
})
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

test('an address that negotiates without end is sent away before anybody looks who it is', async () => {
  const network = (number: number) => `2001:db8:0:7::${number.toString(16)}`
  expect(await times(NEGOTIATIONS_A_MINUTE, (number) => negotiate(network(number + 1)))).toEqual({
    401: NEGOTIATIONS_A_MINUTE,
  })
  // A few come back while the others are asked.
  let again = 0
  for (let round = 0; round < 100 && again === 0; round += 1) {
    const others = Array.from({ length: 19 }, () => negotiate(network(9999)))
    const [signedIn] = await Promise.all([negotiate(network(9999), ann), ...others])
    if (signedIn.status === 429) again = signedIn.again
  }
  expect(again).toBeGreaterThan(0)
  expect(again).toBeLessThanOrEqual(60)
  // The next household is another.
  expect((await negotiate('2001:db8:0:8::1', ann)).status).toBe(200)
})

test('a person has so many connections and no more, from wherever', async () => {
  const eve = await app.signUp('eve')
  expect(await times(HUB_CONNECTIONS, (number) => negotiate(`10.1.${number}.1`, eve))).toEqual({
    200: HUB_CONNECTIONS,
  })
  const { status, again } = await negotiate('10.2.0.1', eve)
  expect([status, again]).toEqual([429, 15])
  expect((await negotiate('10.2.0.1', ann)).status).toBe(200)
})

test('without limits nobody is counted', async () => {
  const free = await createTestApp({ TRUST_PROXY: '1' }, null, app)
  const counted = await times(HUB_CONNECTIONS + 20, () => negotiate('10.3.0.1', ann, free))
  await free.close()
  expect(counted).toEqual({ 200: HUB_CONNECTIONS + 20 })
})

describe('the count', () => {
  const from = (address: string) =>
    ({ socket: { remoteAddress: address }, headers: {} }) as Parameters<
      ReturnType<typeof createAdmission>['knock']
    >[0]

  test('a connection that has ended makes room', () => {
    const admission = createAdmission(0)
    const leave = Array.from({ length: HUB_CONNECTIONS }, (_, number) =>
      admission.enter(from('10.4.0.1'), { id: `p${number}` }),
    )
    expect(admission.enter(from('10.4.0.1'), { id: 'late' })).toEqual({ seconds: 15 })
    const [first] = leave
    if (typeof first === 'function') first()
    expect(admission.enter(from('10.4.0.1'), { id: 'late' })).toBeTypeOf('function')
  })

  test('a person is counted over all addresses, and what was used comes back within a minute', () => {
    let now = 0
    const admission = createAdmission(0, () => now)
    const enter = (number: number) => {
      const entered = admission.enter(from(`10.5.${number % 200}.1`), { id: 'one' })
      if (typeof entered === 'function') entered()
      return entered
    }
    for (let number = 0; number < NEGOTIATIONS_A_MINUTE; number += 1)
      expect(enter(number)).toBeTypeOf('function')
    expect(enter(0)).toEqual({ seconds: 1 })
    now = 60_000
    for (let number = 0; number < NEGOTIATIONS_A_MINUTE; number += 1)
      expect(enter(number)).toBeTypeOf('function')
    expect(enter(0)).toEqual({ seconds: 1 })
  })
})
