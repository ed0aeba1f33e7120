import { expect, test } from 'vitest'
import { COURSE_LESSONS, TITLE } from '#contract/limits.ts'
import { settingOfLessons, settingOfName } from '#web/items/certificates/sheet/setting.ts'

const many = (count: number, title: string) => Array.from({ length: count }, () => title)

test('usual titles are sized by the number of lessons', () => {
  const settings = [6, 12, 13, 33, 34, 60, 61, 100].map((count) =>
    settingOfLessons(many(count, 'Мартеница с пискюл'.slice(0, count > 33 ? 14 : 18))),
  )
  expect(settings).toEqual([0, 0, 1, 1, 2, 2, 3, 3].map((step) => `many-${step}`))
})

test('titles that do not fit get smaller, and become one text if no columns hold them', () => {
  const widest = 'Щ'.repeat(TITLE.max)
  expect(settingOfLessons(many(COURSE_LESSONS.min, widest))).toBe('many-0')
  expect(settingOfLessons(many(COURSE_LESSONS.max, widest))).toBe('denser')
  expect(settingOfLessons(many(33, widest))).toBe('dense')
  expect(settingOfLessons(many(12, widest))).toBe('many-2')
})

test('a name is sized by its letters, not by its bytes', () => {
  expect(['Ив', 'a'.repeat(18), 'a'.repeat(31), 'a'.repeat(60)].map(settingOfName)).toEqual(
    [0, 1, 2, 3].map((step) => `long-${step}`),
  )
})
