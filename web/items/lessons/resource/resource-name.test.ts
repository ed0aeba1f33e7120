import { expect, test } from 'vitest'
import { isUpload, resourceName } from '#web/items/lessons/resource/resource-name.ts'

test('a link without a path is called by its host', () => {
  expect(resourceName('https://example.org')).toBe('example.org')
})

test('a link that decodes to nothing stays as it is', () => {
  expect(resourceName('https://example.org/%E0%A4%A')).toBe('%E0%A4%A')
})

test('an upload is called as its author named it', () => {
  const address = '/files/resources/01a1fe62/%D0%A1%D1%85%D0%B5%D0%BC%D0%B0.pdf'
  expect(isUpload(address)).toBe(true)
  expect(resourceName(address)).toBe('Схема.pdf')
})
