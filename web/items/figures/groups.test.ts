import { expect, test } from 'vitest'
import { SUMS, type FigureDay, type Sums } from '#contract/figures.ts'
import { conversionOf, toGroups } from '#web/items/figures/groups.ts'

const zero = Object.fromEntries(SUMS.map((name) => [name, 0])) as Sums
const day = (name: string, views: number): FigureDay => ({ day: name, ...zero, views })
const rows = [day('2026-01-31', 1), day('2026-02-01', 2), day('2026-03-09', 4)]
const viewsBy = (unit: 'day' | 'week' | 'month', from = '2026-01-31') =>
  toGroups(rows, { from, to: '2026-03-10', unit }).map((group) => [group.from, group.views])

test('days on which nothing happened are there with zero', () => {
  expect(viewsBy('day', '2026-03-08')).toEqual([
    ['2026-03-08', 0],
    ['2026-03-09', 4],
    ['2026-03-10', 0],
  ])
})

test('the newest week is whole, and months are those of the calendar', () => {
  expect(viewsBy('week').at(-1)).toEqual(['2026-03-04', 4])
  expect(viewsBy('week')[0]).toEqual(['2026-01-31', 3])
  expect(viewsBy('month')).toEqual([
    ['2026-01-31', 1],
    ['2026-02-01', 2],
    ['2026-03-01', 4],
  ])
})

test('nothing was converted without views, and never more than all of them', () => {
  expect(conversionOf({ views: 0, converted: 3 })).toBeNull()
  expect(conversionOf({ views: 8, converted: 2 })).toBe(0.25)
  expect(conversionOf({ views: 1, converted: 2 })).toBe(1)
})
