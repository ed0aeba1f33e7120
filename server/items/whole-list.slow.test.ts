import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#server/testing/app.ts'

/** Fewer than a long list has, of which few are answered at once. */
const MANY = 8500

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
  const ann = await app.signUp('ann')
  await app.app.database.pool.query(
    `with made as (
      insert into lessons (owner_id, title_folded, likes, views) select $1, 'title ' || n, n % 7, n % 13 from generate_series(1, $2::integer) n returning id, title_folded
    )
    insert into lesson_contents (lesson_id, title, description, tags, video_id, article, article_minutes)
    select id, title_folded, 'A description', '{tag}', 'abcdefghijk', '<p>text</p>', 1 from made`,
    [ann.session._id, MANY],
  )
})
afterAll(() => app.close())

test('what slow readers hold counts until they leave', { timeout: 90_000 }, async () => {
  const readers: Socket[] = Array.from({ length: 9 }, () => {
    const reader = connect(Number(new URL(app.url).port), '127.0.0.1')
    reader.on('error', () => undefined).pause()
    // The system itself takes nearly 4 MB that nobody reads: the first answer, but not those behind it.
    reader.write('GET /api/lesson/all HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3))
    return reader
  })
  const tagged = async () => (await app.call('GET', '/lesson/all')).headers.has('etag')
  await expect.poll(tagged, { timeout: 40_000 }).toBe(false)
  for (const reader of readers) reader.destroy()
  await expect.poll(tagged, { timeout: 40_000 }).toBe(true)
})
