import { compileMessage } from '@lingui/message-utils/compileMessage'
import { expect, test } from 'vitest'
import { catalogues } from '#contract/messages/messages.ts'

// The type checker says so too, but its cache does not notice when only a catalogue changes.
test('English and Bulgarian have the same keys', () => {
  expect(Object.keys(catalogues.bg).toSorted()).toEqual(Object.keys(catalogues.en).toSorted())
})

/** Names of the values and tags that a text takes. */
function partsOf(text: string): string[] {
  const compiled = compileMessage(text)
  const values = (Array.isArray(compiled) ? compiled : [])
    .filter((part) => Array.isArray(part))
    .map((part) => String(part[0]))
  const tags = [...text.matchAll(/<(\w+)>/g)].map((match) => `<${match[1] ?? ''}>`)
  return [...new Set([...values, ...tags])].toSorted()
}

test('both languages take the same values and tags', () => {
  const different = Object.entries(catalogues.en).filter(([key, text]) => {
    const translated = Object.entries(catalogues.bg).find(([name]) => name === key)?.[1] ?? ''
    return JSON.stringify(partsOf(text)) !== JSON.stringify(partsOf(translated))
  })
  expect(different.map(([key]) => key)).toEqual([])
})

test('no text is empty', () => {
  for (const texts of Object.values(catalogues))
    expect(Object.entries(texts).filter(([, text]) => text.trim() === '')).toEqual([])
})
