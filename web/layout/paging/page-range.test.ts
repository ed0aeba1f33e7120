import { expect, test } from 'vitest'
import { pageRange } from '#web/layout/paging/page-range.ts'

const shown = (page: number, pages: number) =>
  pageRange(page, pages)
    .map((step) => step ?? '…')
    .join(' ')

test('up to seven pages are all shown', () => {
  expect(shown(1, 1)).toBe('1')
  expect(shown(4, 7)).toBe('1 2 3 4 5 6 7')
})

test('of more pages the ends and the neighbours of the current one are shown, in seven places', () => {
  expect(shown(1, 8)).toBe('1 2 3 4 5 … 8')
  expect(shown(4, 8)).toBe('1 2 3 4 5 … 8')
  expect(shown(5, 8)).toBe('1 … 4 5 6 7 8')
  expect(shown(5, 9)).toBe('1 … 4 5 6 … 9')
  expect(shown(500, 1000)).toBe('1 … 499 500 501 … 1000')
  expect(shown(997, 1000)).toBe('1 … 996 997 998 999 1000')
})

test('a page beyond the last shows the end', () => {
  expect(shown(12, 8)).toBe('1 … 4 5 6 7 8')
})
