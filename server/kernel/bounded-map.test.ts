import { expect, test } from 'vitest'
import { BoundedMap } from '#server/kernel/bounded-map.ts'

const keysOf = <Value>(map: BoundedMap<string, Value>) => [...map.entries()].map(([key]) => key)

test('evicts the least recently used entry first', () => {
  const map = new BoundedMap<string, number>({ most: 3 })
  for (const [place, key] of ['a', 'b', 'c'].entries()) map.set(key, place)
  expect(map.get('a')).toBe(0)
  // peek() doesn't count as use.
  expect(map.peek('b')).toBe(1)
  map.set('d', 3)
  expect(keysOf(map)).toEqual(['c', 'a', 'd'])
  expect(map.get('b')).toBeUndefined()
})

test('a value that replaces another counts once', () => {
  const map = new BoundedMap<string, string>({ most: 10, sizeOf: (text) => text.length })
  map.set('a', '12345')
  map.set('a', '123')
  expect(map.size).toBe(3)
  map.set('b', '1234567')
  expect(keysOf(map)).toEqual(['a', 'b'])
  map.set('c', '1')
  expect(keysOf(map)).toEqual(['b', 'c'])
  map.delete('b')
  map.delete('nobody')
  expect(map.size).toBe(1)
})

test('a value larger than the bound is not stored', () => {
  const map = new BoundedMap<string, string>({ most: 3, sizeOf: (text) => text.length })
  map.set('a', '1')
  map.set('b', '12345')
  expect(keysOf(map)).toEqual([])
  expect(map.size).toBe(0)
})

test('null is a valid value', () => {
  const map = new BoundedMap<string, null>({ most: 1 })
  map.set('a', null)
  expect(map.get('a')).toBeNull()
})
