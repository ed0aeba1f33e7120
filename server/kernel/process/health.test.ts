import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { PartAway, registerHealth, type HealthPart } from '#server/kernel/process/health.ts'

async function ask(...parts: HealthPart[]) {
  const app = Fastify()
  registerHealth(app, parts)
  const { statusCode, headers, body } = await app.inject('/readyz')
  await app.close()
  return { status: statusCode, retry: headers['retry-after'], body: JSON.parse(body) as unknown }
}

const well = async () => undefined
const gone = async () => {
  throw new Error('connect ECONNREFUSED 10.0.0.7:5432')
}

test.each([
  ['all parts are available', well, well, 200, { status: 'ready' }],
  [
    'a required part is unavailable',
    gone,
    well,
    503,
    {
      status: 'unavailable',
      unavailable: 'database',
      says: { database: 'does not answer' },
    },
  ],
  [
    'an optional part is unavailable',
    well,
    gone,
    200,
    { status: 'degraded', degraded: 'redis', says: { redis: 'does not answer' } },
  ],
])('when %s', async (_, database, redis, status, body) => {
  const parts = [
    { name: 'database', needed: true, check: database },
    { name: 'redis', needed: false, check: redis },
  ]
  expect(await ask(...parts)).toEqual({ status, retry: status === 503 ? '5' : undefined, body })
})

test('a part gives its own reason for being unavailable', async () => {
  const check = async () => {
    throw new PartAway('the disk of DATA_DIR/files is full')
  }
  expect(await ask({ name: 'disk', needed: false, check })).toMatchObject({
    body: { degraded: 'disk', says: { disk: 'the disk of DATA_DIR/files is full' } },
  })
})

test('parts that hang count as unavailable within a second, with advice', async () => {
  const check = () => new Promise<never>(() => undefined)
  // Takes the shortest of three, because other load on the machine only adds time.
  const waits: number[] = []
  while (waits.length < 3) {
    const begun = performance.now()
    const answer = await ask(
      { name: 'database', needed: true, silent: 'does not answer: look at DATABASE_URL', check },
      { name: 'redis', needed: false, check },
    )
    waits.push(performance.now() - begun)
    expect(answer).toMatchObject({
      status: 503,
      body: {
        unavailable: 'database',
        degraded: 'redis',
        says: { database: 'does not answer: look at DATABASE_URL', redis: 'does not answer' },
      },
    })
  }
  expect(Math.min(...waits)).toBeLessThan(1000)
})
