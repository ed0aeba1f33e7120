import { expect, test } from 'vitest'
import { TITLE } from '#contract/limits.ts'
import { labelSize } from '#web/ui/books/label-size.ts'

test('the size depends on the longest word, not on the length of the title', () => {
  expect(labelSize('Чай от билки')).toBe('short')
  expect(labelSize('Най-дългото заглавие')).toBe('short')
  expect(labelSize('Фотожурналисти')).toBe('long')
  expect(labelSize('Самоусъвършенстване')).toBe('longest')
  expect(labelSize('Щ'.repeat(TITLE.max))).toBe('longest')
  expect(labelSize('')).toBe('short')
})
