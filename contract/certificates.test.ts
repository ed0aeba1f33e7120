import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CertificateName, nameProblem, normalizeName } from '#contract/certificates.ts'

test('common spellings of names are accepted', () => {
  const names = [
    'Ян',
    'Елена Петрова-Илиева',
    'José Núñez',
    "Sinéad O'Connor",
    '李小龍',
    'किशोर कुमार',
  ]
  const joined = ['علی‌نژاد', 'क्‍ष Rao', 'Ян Дьо', 'محمد علی‌نژاد']
  for (const name of [...names, ...joined, 'Dr. M. L. King Jr., 3rd']) {
    expect([name, nameProblem(normalizeName(name))]).toEqual([name, null])
    expect(CertificateName.parse(name)).toBe(name.normalize('NFC'))
  }
})

test('names that are too short, too long, without a letter or not printable are refused', () => {
  for (const name of [
    '',
    ' ',
    'B',
    ' B ',
    'B'.repeat(61),
    '!?!',
    '12 34',
    '☃☃',
    '---',
    '😀😀',
    '́́́',
    'Bob\x07',
    'Bob\nBaker',
    'Bob‮Baker',
    'Bob⁦B',
    'Bo​b',
    'Bo﻿b B',
    'Bob\u2028B',
    'Bob',
    '‌Bob',
    'Bob‍',
    'Z̀́̂̃̄a',
  ])
    expect([name, CertificateName.safeParse(name).success]).toEqual([name, false])
})

test('characters that control a printer or the text direction are refused everywhere', () => {
  const controls = '\u0000\u0007\n\t\u001b\u007f\u0085'
  const invisible =
    '\u00ad\u200b\u200e\u200f\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u061c\u2028\u2029\u3164\ue000\u{e0001}\u{fff80}'
  const signs = fc.constantFrom(...controls, ...invisible)
  fc.assert(
    fc.property(signs, fc.nat(3), (sign, place) => {
      const name = `Anna${'Bob'.slice(0, place)}${sign}Petrova`
      expect(nameProblem(normalizeName(name))).toBe('certificateNameSigns')
    }),
  )
})

test('every accepted name has a letter, one line, no double spaces, and 2 to 60 characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 70 }), (typed) => {
      const { success, data = '' } = CertificateName.safeParse(typed)
      if (!success) return
      expect(data).toMatch(/\p{L}/u)
      expect(data).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]|\p{Zs}{2}|^\s|\s$/u)
      expect([...data].length).toBeGreaterThanOrEqual(2)
      expect([...data].length).toBeLessThanOrEqual(60)
      expect(CertificateName.parse(data)).toBe(data)
    }),
    { numRuns: 500 },
  )
})
