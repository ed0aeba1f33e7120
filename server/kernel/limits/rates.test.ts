import { expect, test } from 'vitest'
import { createRate } from '#server/kernel/limits/rates.ts'

let time = 0
const rate = (perMinute: number) => createRate(perMinute, {}, () => time)

test('a call above the rate is refused and told how long to wait', () => {
  const calls = rate(30)
  for (let call = 0; call < 30; call++) calls.count('ann')
  expect(() => calls.count('ann')).toThrowError('429 tooManyAttempts')
  expect(calls.secondsToWait('ann')).toBe(2)
})

test('refused calls do not extend the wait', () => {
  const calls = rate(30)
  for (let call = 0; call < 100; call++) calls.secondsToWait('ann')
  time += 2000
  expect(calls.secondsToWait('ann')).toBe(0)
  expect(calls.secondsToWait('ann')).toBe(2)
})

test('every subject has its own count', () => {
  const calls = rate(1)
  calls.count('ann')
  expect(() => calls.count('bob')).not.toThrow()
})

test('with many subjects the oldest are dropped', () => {
  const calls = rate(1)
  calls.count('first')
  for (let subject = 0; subject < 20_000; subject++) calls.count(`s${subject}`)
  expect(calls.secondsToWait('first')).toBe(0)
  expect(calls.secondsToWait('s19999')).toBeGreaterThan(0)
})

test('nothing is counted without limits', () => {
  const calls = createRate(1, { RATE_LIMITS: 'off' })
  for (let call = 0; call < 1000; call++) calls.count('ann')
})
