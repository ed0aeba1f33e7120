import { expect, test } from 'vitest'
import { createPlaces } from '#server/kernel/queues/places.ts'

test('one asker never takes all slots of another', () => {
  const places = createPlaces({ each: 2, most: 4 })
  const first = places.take('ann')
  places.take('ann')
  expect(() => places.take('ann')).toThrowError('429 tooManyRequests')
  places.take('bob')
  first()
  first()
  places.take('ann')
  expect(() => places.take('ann')).toThrowError('429 tooManyRequests')
  places.take('eve')
  expect(() => places.take('dan')).toThrowError('503 unavailable')
})
