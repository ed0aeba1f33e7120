import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { configHelp, readConfig } from '#server/kernel/config.ts'
import { settingRows } from '#server/kernel/settings/site-settings.ts'

test.each([
  ['PORT', 'abc', 'must be a whole number from 0 to 65535'],
  ['PORT', '70000', 'must be a whole number from 0 to 65535'],
  ['TRUST_PROXY', '1.5', 'must be a whole number from 0 to 10'],
  ['ACCESS_TOKEN_MINUTES', '0', 'must be a number from 0.02 to 10080'],
  ['RATE_LIMITS', 'maybe', 'must be one of on, off'],
  ['PUBLIC_URL', 'http://a.example/path', 'must be an origin'],
  ['MAIL_FROM', 'nobody', 'must be an e-mail address'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote', 'must be one of parentbased_always_on, always_on'],
  ['OTEL_TRACES_SAMPLER_ARG', '2', 'must be a number from 0 to 1'],
  ['TRUST_TRACEPARENT', 'yes', 'must be one of 0, 1'],
  ['VIDEO_CHECK_URL', 'youtube', 'must be an http(s) link'],
  ['FILES_URL', 'cdn.example', 'must be a scheme and a host such as https://cdn.example'],
  ['FILES_URL', 'https://cdn.example/', 'must be a scheme and a host'],
  ['FILES_URL', 'https://cdn.example/pictures', 'must be a scheme and a host'],
  ['FILES_URL', "https://cdn.example;script-src'*'", 'must be a scheme and a host'],
  ['FILES_URL', 'https://me:secret@cdn.example', 'must be a scheme and a host'],
])('a bad %s (%s) gives a message', (name, value, sentence) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name} is "${value}": ${sentence}`)
})

test.each([
  ['s3.example/bucket', 'must begin with https:// or http://'],
  ['https://key:hunter2@s3.example:port/bucket', 'is no address; percent-encode'],
  ['https://key:hunter2@s3.example', 'must name the bucket behind the host'],
  ['https://key:hunter2@s3.example/', 'must name the bucket behind the host'],
  ['https://key:hunter2@s3.example/bucket/folder', "must have a bucket's name alone as its path"],
  ['https://s3.example/bucket', 'must hold the access key and its secret'],
  ['https://key@s3.example/bucket', 'must hold the access key and its secret'],
  ['https://key:hunter2%@s3.example/bucket', 'must have its keys percent-encoded'],
  ['https://key:hunter2@s3.example/bucket?zone=1', 'knows no "zone", only region, style'],
  ['https://key:hunter2@s3.example/bucket?region=EU', 'has a region that is none'],
  ['https://key:hunter2@s3.example/bucket?style=host', 'has a style that is not path or virtual'],
  [
    'https://key:hunter2@127.0.0.1/bucket?style=virtual',
    'has style=virtual, which needs a host with a name',
  ],
  ['https://key:hunter2@s3.example/bucket?downloads=no', 'has downloads that are not redirect'],
  ['https://key:hunter2@s3.example/bucket?public=cdn', 'has a public that is no origin'],
])('a bad S3_URL (%s) gives a message that contains no key', (value, sentence) => {
  const read = () => readConfig({ S3_URL: value })
  expect(read).toThrow(`S3_URL is "…": ${sentence}`)
  expect(read).not.toThrow('hunter2')
})

test.each(['AUTH_SECRETS', 'DATABASE_URL', 'DATABASE_DIRECT_URL'])(
  'a bad %s is refused without being printed',
  (name) => {
    expect(() => readConfig({ [name]: 'mysql://me:hunter2@db' })).toThrow(`${name} is "…": must`)
  },
)

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317', 'must be an http(s) link'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'Bearer hunter2', 'must be names with values'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%0d%0ahunter2', 'must be names with values'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz', 'must be names with values'],
])('a bad %s (%s) is refused without being printed', (name, value, sentence) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name} is "…": ${sentence}`)
})

test('headers of the collector are decoded', () => {
  const { OTEL_EXPORTER_OTLP_HEADERS: headers } = readConfig({
    OTEL_EXPORTER_OTLP_HEADERS: ' authorization=Bearer%20a%3Db, x-org = 1,',
  })
  expect(headers).toEqual({ authorization: 'Bearer a=b', 'x-org': '1' })
})

test('a database of your own demands keys', () => {
  expect(() => readConfig({ DATABASE_URL: 'postgres://db/kb' })).toThrow('AUTH_SECRETS is required')
})

test('pictures over http are refused for a site over https', () => {
  const given = { PUBLIC_URL: 'https://a.example', FILES_URL: 'http://cdn.example' }
  expect(() => readConfig(given)).toThrow(/^FILES_URL is "http:\/\/cdn\.example": .+ https/)
  expect(readConfig({ FILES_URL: 'https://CDN.example:8443' }).FILES_URL).toBe(
    'https://cdn.example:8443',
  )
})

test('empty values count as absent, but for the endpoint of videos, which they turn off', () => {
  expect(readConfig({}).VIDEO_CHECK_URL).toBe('https://www.youtube.com/oembed')
  expect(readConfig({ VIDEO_CHECK_URL: '' }).VIDEO_CHECK_URL).toBe('')
  expect(readConfig({ PORT: '', METRICS_PORT: '' })).toMatchObject({
    PORT: 3000,
    portGiven: false,
    METRICS_PORT: 9464,
    metricsPortGiven: false,
  })
})

test('each setting that docs/operations.md names exists', () => {
  const known = new Set([...configHelp().matchAll(/^ {2}([A-Z_0-9]+) /gm)].map(([, name]) => name))
  const named = readFileSync('docs/operations.md', 'utf8').match(/\b[A-Z]+(?:_[A-Z0-9]+)+\b/g) ?? []
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((name) => !known.has(name.replace(/_FILE$/, '')))).toEqual([])
})

test('.env.example explains each of its settings, and the server accepts their values', () => {
  const example = readFileSync('.env.example', 'utf8')
  const settings = [...example.matchAll(/^(# .+\n)?([A-Z_0-9]+)=(.*)$/gm)]
  for (const [, sentence, name] of settings) {
    expect(sentence, name).toBeDefined()
    expect(configHelp()).toContain(`\n  ${name} `)
  }
  const values = Object.fromEntries(settings.map(([, , name, value]) => [name, value]))
  expect(readConfig(values)).toMatchObject({ PUBLIC_URL: values['PUBLIC_URL'], DEMO: '0' })
})

test('docs/operations.md and --help have a line for each setting of the desk', () => {
  const text = readFileSync('docs/operations.md', 'utf8')
  for (const [name, fallback, meaning] of settingRows()) {
    expect(text).toContain(`| \`${name}\` | ${meaning} | ${fallback} |`)
    expect(configHelp()).toContain(`  ${name.padEnd(28)}${meaning} (${fallback})`)
  }
})
