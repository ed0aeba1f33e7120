import fc from 'fast-check'
import { expect, test } from 'vitest'
import { message, readMessage } from '#contract/message.ts'

test('unpacking returns the packed values', () => {
  const values = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,8}$/),
    fc.oneof(fc.integer(), fc.string({ unit: 'grapheme' })),
    { minKeys: 1, maxKeys: 4 },
  )
  fc.assert(
    fc.property(values, (given) => {
      expect(readMessage(message('titleValMs', given))).toEqual({
        key: 'titleValMs',
        values: { ...given },
      })
    }),
  )
})

test('a key alone has no values', () => {
  expect(readMessage('notFound')).toEqual({ key: 'notFound', values: {} })
})
