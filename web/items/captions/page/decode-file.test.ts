import { expect, test } from 'vitest'
import type { CaptionLanguage } from '#contract/items.ts'
import { decodeCaptions } from '#web/items/captions/page/decode-file.ts'

const FILE = '1\r\n00:00:01,000 --> 00:00:02,000\r\nДобър ден\r\n'

function utf16(text: string, isBig: boolean, mark: boolean): Uint8Array {
  const bytes = Buffer.from(mark ? `\ufeff${text}` : text, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

/** Cyrillic letters have one block in the code page. */
const windows1251 = (text: string) =>
  Uint8Array.from(text, (letter) => {
    const code = letter.codePointAt(0) ?? 0
    return code < 0x80 ? code : code - 0x0410 + 0xc0
  })

test.each<[what: string, bytes: Uint8Array, language: CaptionLanguage]>([
  ['UTF-8', Buffer.from(FILE), 'bg'],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${FILE}`), 'en'],
  ['UTF-16 LE with a mark', utf16(FILE, false, true), 'bg'],
  ['UTF-16 BE with a mark', utf16(FILE, true, true), 'bg'],
  ['UTF-16 LE without a mark', utf16(FILE, false, false), 'en'],
  ['UTF-16 BE without a mark', utf16(FILE, true, false), 'en'],
  ['windows-1251', windows1251(FILE), 'bg'],
])('%s is read', (_, bytes, language) => {
  expect(decodeCaptions(bytes, language)).toBe(FILE)
})

test.each<[what: string, bytes: Uint8Array, language: CaptionLanguage]>([
  ['a picture', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 0xff, 0xd8, 0, 0]), 'en'],
  ['bytes that are no UTF-8, in a language with many code pages', windows1251(FILE), 'ja'],
  ['half a character', utf16(FILE, false, true).subarray(0, 9), 'bg'],
])('%s is refused', (_, bytes, language) => {
  expect(decodeCaptions(bytes, language)).toBeNull()
})
