import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encode } from 'uqr'
import { drawQr } from '#web/ui/qr/qr.ts'

function modulesOf(size: number, path: string): boolean[][] {
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    const row = drawn[Number(y)] ?? []
    for (let module = 0; module < Number(width); module += 1) row[Number(x) + module] = true
  }
  return drawn
}

test('four white modules stand round the code', () => {
  const { size, path } = drawQr('https://bazaar.example/lesson/details/7')
  const drawn = modulesOf(size, path)
  const edges = drawn.flatMap((row, y) =>
    row.filter((_, x) => Math.min(x, y, size - 1 - x, size - 1 - y) < 4),
  )
  expect(edges).not.toContain(true)
})

test('the path draws every dark module and no other', () => {
  fc.assert(
    fc.property(fc.webUrl(), (address) => {
      const { size, path } = drawQr(address)
      expect(modulesOf(size, path)).toEqual(encode(address, { ecc: 'M', border: 4 }).data)
    }),
    { numRuns: 30 },
  )
})
