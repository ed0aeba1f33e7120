/** Sets up resources at the top level of a test file. They close after its tests, newest first. */
import { afterAll } from 'vitest'
import { createTestApp, type TestApp } from '#server/testing/app.ts'
import { startRedis } from '#server/testing/redis/process.ts'

/** Closes something after the tests of the file. */
export function closeAtEnd<Thing extends { close(): unknown }>(thing: Thing): Thing {
  afterAll(() => thing.close())
  return thing
}

/** Opens an app that closes after the tests of the file, or of the group whose `beforeAll` opens it. */
export async function openTestApp(...given: Parameters<typeof createTestApp>): Promise<TestApp> {
  return closeAtEnd(await createTestApp(...given))
}

/** Opens two nodes with one database and one Redis. */
export async function openTestNodes(environment: Record<string, string> = {}) {
  const redis = closeAtEnd(await startRedis())
  const near = await openTestApp({ REDIS_URL: redis.url, ...environment })
  const far = await openTestApp({ REDIS_URL: redis.url, ...environment }, null, near)
  return { redis, near, far }
}
