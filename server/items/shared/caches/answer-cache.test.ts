import { expect, test } from 'vitest'
import { createAnswerCache } from '#server/items/shared/caches/answer-cache.ts'

/** A table whose reads end when the test says so. */
function createTable(most = 10) {
  const table = { text: 'first', readings: 0 }
  let now = 0
  const waiting: (() => void)[] = []
  const cache = createAnswerCache<string>({ now: () => new Date(now) }, { most, freshMs: 5000 })
  const load = (key = 'key') =>
    cache.load(key, async () => {
      table.readings += 1
      const seen = table.text
      await new Promise<void>((resolve) => waiting.push(resolve))
      return `${key}: ${seen}`
    })
  const answer = async () => {
    await new Promise(setImmediate)
    waiting.shift()?.()
    await new Promise(setImmediate)
  }
  const ask = async (key?: string) => {
    const asked = load(key)
    await answer()
    return asked
  }
  return { table, cache, load, answer, ask, pass: (ms: number) => void (now += ms) }
}

test('concurrent calls share one read, and later calls its result', async () => {
  const { table, load, answer } = createTable()
  const asked = [load(), load(), load()]
  await answer()
  expect(await Promise.all([...asked, load()])).toEqual(Array(4).fill('key: first'))
  expect(table.readings).toBe(1)
})

test('a call after a write never gets a read that began before it', async () => {
  const { table, cache, load, answer } = createTable()
  const before = load()
  await new Promise(setImmediate)
  table.text = 'second'
  cache.drop()
  const after = load()
  await answer()
  await answer()
  expect([await before, await after]).toEqual(['key: first', 'key: second'])
  expect(await load()).toBe('key: second')
  expect(table.readings).toBe(2)
})

test('a write drops what it changed and leaves the rest', async () => {
  const { table, cache, ask, load } = createTable()
  await ask('a')
  await ask('b')
  table.text = 'second'
  cache.drop((value) => value.startsWith('a'))
  expect([await ask('a'), await load('b')]).toEqual(['a: second', 'b: first'])
})

test('a response expires, because other nodes may have written', async () => {
  const { table, ask, pass } = createTable()
  await ask()
  table.text = 'second'
  pass(4999)
  expect(await ask()).toBe('key: first')
  pass(1)
  expect(await ask()).toBe('key: second')
})

test('the next call repeats a failed read', async () => {
  const { cache, ask } = createTable()
  await expect(cache.load('key', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await ask()).toBe('key: first')
})

test('the cache never exceeds its maximum size', async () => {
  const { table, ask } = createTable(2)
  for (const key of ['a', 'b', 'c', 'a']) await ask(key)
  expect(table.readings).toBe(4)
})
