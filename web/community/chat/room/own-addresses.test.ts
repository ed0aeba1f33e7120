import { expect, test } from 'vitest'
import { piecesOf } from '#web/community/chat/room/own-addresses.ts'

const ORIGIN = 'https://bazaar.example'

test.each([
  'no URL at all',
  '',
  'https://elsewhere.example/lesson/details/7',
  `${ORIGIN}/lesson/edit/7`,
  `${ORIGIN}/lesson/details/07`,
  `${ORIGIN}/lesson/details/7x`,
  `${ORIGIN}.evil.example/lesson/details/7`,
  `${ORIGIN}@evil.example/lesson/details/7`,
  `${ORIGIN}/lesson/details/${'9'.repeat(40)}`,
  `${ORIGIN}/profile/1`,
])('leaves %j as words', (text) => {
  expect(piecesOf(text, ORIGIN)).toEqual(text === '' ? [] : [text])
})

test('finds URLs of lessons and courses between words', () => {
  const text = `“Knots” ${ORIGIN}/lesson/details/7, then ${ORIGIN}/course/details/3/7.`
  expect(piecesOf(text, ORIGIN)).toEqual([
    '“Knots” ',
    { address: `${ORIGIN}/lesson/details/7`, path: '/lesson/details/7' },
    ', then ',
    { address: `${ORIGIN}/course/details/3/7`, path: '/course/details/3/7' },
    '.',
  ])
})

test('finds none if the site has no origin', () => {
  expect(piecesOf('/lesson/details/7', '')).toEqual(['/lesson/details/7'])
})
