import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { avatar, cover, shelf } from './art.ts'
import { clothIndex, spineSteps } from './dyes.ts'

const digest = (pictures: readonly string[]) =>
  createHash('sha256').update(pictures.join('\n')).digest('hex').slice(0, 16)
const seeds = Array.from({ length: 200 }, (_, index) => index)

// These URLs are served as immutable: a changed digest means that every cached picture is wrong.
test('a seed always gives the same picture', () => {
  expect(digest(seeds.map((seed) => cover(seed)))).toBe('e92f84da7d263909')
  expect(digest(seeds.map(avatar))).toBe('d1d143b11566939f')
  expect(digest(seeds.map((seed) => shelf([seed, seed + 1, seed + 2])))).toBe('040d64265165d288')
})

test('the height of a spine allows for wide letters', () => {
  for (const seed of seeds) {
    const { height, type } = spineSteps(seed, 'Защо стоят мостовете')
    // The title must fit at its printed width between the rules at both ends.
    expect(height * 8 - 48).toBeGreaterThanOrEqual(11.85 * type * 1.6)
  }
})

test('every seed gives steps that have a class', () => {
  for (const seed of seeds) {
    const title = 'Звезди'.repeat(1 + (seed % 4))
    const { height, width, type } = spineSteps(seed, title, (seed % 11) / 10)
    expect(height).toBeGreaterThanOrEqual(19)
    expect(height).toBeLessThanOrEqual(58)
    expect([30, 32, 34, 36, 38, 40, 42, 46]).toContain(width)
    expect(type).toBeGreaterThanOrEqual(9)
    expect(type).toBeLessThanOrEqual(16)
    expect(clothIndex(seed)).toBeLessThan(18)
  }
})
