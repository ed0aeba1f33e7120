import fc from 'fast-check'
import { expect, test } from 'vitest'
import { moveItem, indexAfterDrag } from '#web/items/courses/form/lesson-order.ts'

const list = fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 30 })
const place = fc.nat(29)

test('a moved item is where it was put', () => {
  fc.assert(
    fc.property(list, place, place, (items, a, b) => {
      const from = a % items.length
      const to = b % items.length
      expect(moveItem(items, from, to)[to]).toBe(items[from])
    }),
  )
})

test('the others keep their order', () => {
  fc.assert(
    fc.property(list, place, place, (items, a, b) => {
      const from = a % items.length
      const others = (all: readonly number[]) => all.filter((item) => item !== items[from])
      expect(others(moveItem(items, from, b % items.length))).toEqual(others(items))
    }),
  )
})

const rows = Array.from({ length: 5 }, (_, index) => ({ top: index * 50, height: 48 }))

test('a row let go at once stays where it was', () => {
  for (const from of rows.keys()) expect(indexAfterDrag(rows, from, 0)).toBe(from)
})

test('a row passes another half way over it', () => {
  expect(indexAfterDrag(rows, 1, 25)).toBe(1)
  expect(indexAfterDrag(rows, 1, 27)).toBe(2)
  expect(indexAfterDrag(rows, 1, -25)).toBe(1)
  expect(indexAfterDrag(rows, 1, -27)).toBe(0)
})

test('a row dragged beyond the list becomes the first or last', () => {
  expect(indexAfterDrag(rows, 2, -1e6)).toBe(0)
  expect(indexAfterDrag(rows, 2, 1e6)).toBe(4)
})
