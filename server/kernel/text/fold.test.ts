import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldCase, skeleton } from '#server/kernel/text/fold.ts'

const sameLook = [
  ['coco', 'сосо'],
  ['НОВА', 'HOBA'],
  ['Ivan', 'lvan'],
  ['user1', 'userl'],
  ['b00k', 'BOOK'],
  ['maria', 'rnaria'],
  ['ａnn', 'Ann'],
  ['a\u200Bnn', 'ann'],
] as const
const otherLook = [
  ['ann', 'anna'],
  ['josé', 'jose'],
  ['Мария', 'Maria'],
  ['иван', 'ivan'],
] as const

describe('skeleton', () => {
  it.each(sameLook)('%s and %s look the same', (one, other) => {
    expect(skeleton(one)).toBe(skeleton(other))
  })
  it.each(otherLook)('%s and %s look different', (one, other) => {
    expect(skeleton(one)).not.toBe(skeleton(other))
  })
  it('changes nothing when applied twice', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0x20, max: 0x52f })), (points) => {
        const once = skeleton(String.fromCodePoint(...points))
        expect(skeleton(once)).toBe(once)
      }),
    )
  })
  it('is one for every case of a name', () => {
    const letters = fc.constantFrom(...'abiloxyABILOXYбвинБВИНάσςΣ')
    fc.assert(
      fc.property(fc.array(letters), (all) => {
        const text = all.join('')
        expect(skeleton(text.toUpperCase())).toBe(skeleton(text.toLowerCase()))
      }),
    )
  })
})

describe('foldCase', () => {
  it('keeps accents and looks, drops case', () => {
    expect(foldCase('Élan')).toBe('élan')
    expect(foldCase('СОСО')).toBe('сосо')
    expect(foldCase('İstanbul')).toBe('istanbul')
  })
})
