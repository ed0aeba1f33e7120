import { expect, test } from 'vitest'
import { TITLE } from '#contract/limits.ts'
import { labelSize } from '#web/ui/books/label-size.ts'

test('a title is set smaller the longer its longest word is, and not for the length of the whole', () => {
  expect(labelSize('Чай от билки')).toBe('short')
  expect(labelSize('Най-дългото заглавие')).toBe('short')
  expect(labelSize('Фотожурналисти')).toBe('long')
  expect(labelSize('Самоусъвършенстване')).toBe('longest')
  expect(labelSize('Щ'.repeat(TITLE.max))).toBe('longest')
  expect(labelSize('')).toBe('short')
})
