import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clockTime } from '#contract/clock-time.ts'
import { timesIn } from '#web/core/video-times/times-in-text.ts'

const secondsIn = (text: string) =>
  timesIn(text).flatMap((part) => (typeof part === 'string' ? [] : [part.at]))

test('text that only resembles a time stays text', () => {
  const others = [
    '2:5',
    '12:345',
    '1:60',
    '0:99',
    '1:75:00',
    '1:2:3:04',
    'v2:15',
    '2:15h',
    '3.2:15',
    '2:15.5',
    'at 2:15 pm',
    'at 2:15 a.m.',
    'в 14:30 ч.',
    '2:15ч',
    '::15',
    '',
  ]
  expect(others.map(secondsIn)).toEqual(others.map(() => []))
})

test('finds times between words, punctuation and other times', () => {
  expect(timesIn('See 2:15, then (1:02:05)–59:59.')).toEqual([
    'See ',
    { text: '2:15', at: 135 },
    ', then (',
    { text: '1:02:05', at: 3725 },
    ')–',
    { text: '59:59', at: 3599 },
    '.',
  ])
  expect(secondsIn('0:00 00:07 75:00 99:59:59 4:20 часа')).toEqual([0, 7, 4500, 359_999, 260])
})

test('the parts join to the text, and every time a player shows is found', () => {
  const word = fc.oneof(fc.string(), fc.stringMatching(/^[\d:., ]{0,12}$/))
  const time = fc.integer({ min: 0, max: 359_999 }).map(clockTime)
  fc.assert(
    fc.property(fc.array(fc.oneof(word, time)), (words) => {
      const text = words.join(' ')
      const parts = timesIn(text)
      expect(parts.map((part) => (typeof part === 'string' ? part : part.text)).join('')).toBe(text)
    }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 359_999 }), (seconds) => {
      expect(secondsIn(`— ${clockTime(seconds)}!`)).toEqual([seconds])
    }),
  )
})
