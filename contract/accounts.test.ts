import { describe, expect, it } from 'vitest'
import { EditedUsername, isEmail, isUsername, NewPassword, Username } from '#contract/accounts.ts'

describe('usernames', () => {
  it.each(['.ann', 'ann.', '-ann', 'ann_', 'an n', 'an/n', 'ann\u200B', 'аnn', 'Ωmega', '🦉', ''])(
    'may not be "%s"',
    (name) => {
      expect(isUsername(name)).toBe(false)
    },
  )
  it.each(['a', 'Ann.B-c_9', 'Мария', 'ёж2', 'Ωμέγα', '李雷', 'नमस्ते', '7up'])(
    'may be "%s"',
    (name) => {
      expect(isUsername(name)).toBe(true)
    },
  )
  // The edit form accepts an unchanged name of any length. The server checks that a new one has 3 characters.
  it('have 2 to 20 characters at registration, up to 29 on edit', () => {
    const fits = (length: number) => Username.safeParse('ж'.repeat(length)).success
    expect([1, 2, 20, 21].map(fits)).toEqual([false, true, true, false])
    const fitsEdit = (length: number) => EditedUsername.safeParse('ж'.repeat(length)).success
    expect([1, 2, 29, 30].map(fitsEdit)).toEqual([false, true, true, false])
  })
  it('are trimmed and normalised before validation', () => {
    expect(Username.parse('  jose\u0301 ')).toBe('josé')
  })
})

describe('addresses', () => {
  it.each([
    'ann',
    'ann@',
    '@people.example',
    'ann@home',
    'ann@people.e',
    'ann@people.1x',
    'a@b@people.example',
    'ann @people.example',
    '.ann@people.example',
    'an..n@people.example',
    'ann@-people.example',
    'ann@people..example',
    'ann@people.example.',
    '<ann@people.example>',
    `${'a'.repeat(250)}@b.eu`,
  ])('may not be "%s"', (address) => {
    expect(isEmail(address)).toBe(false)
  })
  it.each([
    'a@b.eu',
    'ann+tag@mail.people.example',
    'мария@пример.бг',
    'ann@xn--e1afmkfd.xn--90ae',
  ])('may be "%s"', (address) => {
    expect(isEmail(address)).toBe(true)
  })
})

describe('new passwords', () => {
  it('have at least 8 characters and at most 200 bytes', () => {
    const fits = (password: string) => NewPassword.safeParse(password).success
    expect(fits('1234567')).toBe(false)
    expect(fits('1234567 ')).toBe(true)
    expect(fits('🦉'.repeat(7))).toBe(false)
    expect(fits('🦉'.repeat(50))).toBe(true)
    expect(fits('🦉'.repeat(50) + 'x')).toBe(false)
  })
})
