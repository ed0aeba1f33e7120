import { expect, test } from 'vitest'
import { configHelp, readConfig } from '#server/kernel/config.ts'

test.each([
  ['PORT', 'abc', 'must be a whole number from 0 to 65535'],
  ['PORT', '70000', 'must be a whole number from 0 to 65535'],
  ['TRUST_PROXY', '1.5', 'must be a whole number from 0 to 10'],
  ['ACCESS_TOKEN_MINUTES', '0', 'must be a number from 0.02 to 10080'],
  ['RATE_LIMITS', 'maybe', 'must be one of on, off'],
  ['PUBLIC_URL', 'http://a.example/path', 'must be an origin'],
  ['MAIL_FROM', 'nobody', 'must be an e-mail address'],
])('a bad %s (%s) is told in a sentence', (name, value, sentence) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name} is "${value}": ${sentence}`)
})

test.each(['AUTH_SECRETS', 'DATABASE_URL', 'DATABASE_DIRECT_URL'])(
  'a bad %s is refused without being printed',
  (name) => {
    expect(() => readConfig({ [name]: 'mysql://me:hunter2@db' })).toThrow(`${name} is "…": must`)
  },
)

test('a database of your own demands keys', () => {
  expect(() => readConfig({ DATABASE_URL: 'postgres://db/kb' })).toThrow('AUTH_SECRETS is required')
})

test('empty values count as absent', () => {
  expect(readConfig({ PORT: '', METRICS_PORT: '' })).toMatchObject({
    PORT: 3000,
    portGiven: false,
    METRICS_PORT: 9464,
    metricsPortGiven: false,
  })
})

test('the help names every variable with its default', () => {
  expect(configHelp()).toMatch(/DAILY_REWARD_LIMIT .+ \(10\)/)
})
