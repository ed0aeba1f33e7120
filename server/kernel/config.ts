import * as z from 'zod'
import type { LogFormat } from '#server/kernel/log.ts'
import { ConfigError } from '#server/kernel/settings/config-error.ts'
import { backupVariables } from '#server/kernel/settings/backup-settings.ts'
import { DATABASE_SECRETS, databaseVariables } from '#server/kernel/settings/database-settings.ts'
import { logVariables } from '#server/kernel/settings/log-settings.ts'
import { OIDC_SECRETS, oidcMistake, oidcVariables } from '#server/kernel/settings/oidc-settings.ts'
import { readSecretFiles } from '#server/kernel/settings/secret-files.ts'
import {
  readGivenSettings,
  settingRows,
  type GivenSettings,
} from '#server/kernel/settings/site-settings.ts'
import {
  addresses,
  between,
  host,
  list,
  oneOf,
  origin,
  refuseWrongRedisUrl,
  s3,
  secret,
  whole,
} from '#server/kernel/setting-kinds.ts'
import { traceVariables } from '#server/kernel/traces/settings.ts'

const optional = <Schema extends z.ZodType>(schema: Schema) => schema.optional()

export const YOUTUBE_OEMBED = 'https://www.youtube.com/oembed'

const isLinkOrEmpty = (text: string) => text === '' || (/^https?:/.test(text) && URL.canParse(text))

const variables = {
  PORT: [
    whole(0, 65_535).optional(),
    '3000',
    'Port of the pages and the API; unset, the next ten are tried when it is taken',
  ],
  HOST: [z.string().default('127.0.0.1'), '127.0.0.1', 'Address to listen on'],
  PUBLIC_URL: [
    optional(origin),
    'http://localhost:PORT',
    'Origin of links, mails, cookies and canonical addresses',
  ],
  TRUST_PROXY: [whole(0, 10).default(0), '0', 'Number of proxies in front'],
  CORS_ORIGINS: [
    list.pipe(z.array(origin)).prefault(''),
    'none',
    'Foreign origins that may call the API by bearer, comma-separated',
  ],
  DATA_DIR: [
    z.string().min(1).default('./data'),
    './data',
    'Folder of the embedded database, files and keys',
  ],
  ...databaseVariables,
  REDIS_URL: [
    optional(z.string().superRefine(refuseWrongRedisUrl)),
    'none, one node alone',
    'Redis that connects several nodes: redis://, rediss://, redis+sentinel://, redis+cluster://',
  ],
  S3_URL: [
    optional(s3),
    'none, files lie in DATA_DIR',
    'A bucket for pictures and resources: https://KEY:SECRET@host/bucket?region=…&style=path',
  ],
  FILES_IN: [
    optional(oneOf(['s3', 'disk'])),
    's3 with S3_URL, else disk',
    'Where new files go; with S3_URL the other place is read too, so that files can be moved',
  ],
  FILES_URL: [
    optional(host),
    'none, this site itself',
    'Origin from which pages fetch pictures: a CDN, or another host, that fetches them here',
  ],
  ...backupVariables,
  NODE_URL: [
    optional(origin),
    'http://HOST:PORT',
    'How other nodes reach this one, with REDIS_URL',
  ],
  AUTH_SECRETS: [
    optional(
      list.refine(
        (keys) => keys.length > 0 && keys.every(secret),
        'must be keys of at least 32 characters',
      ),
    ),
    'made at first start',
    'Signing keys, comma-separated: the first signs, all verify; required with DATABASE_URL',
  ],
  SECOND_FACTOR: [
    optional(oneOf(['all', 'administrators', 'own'])),
    'administrators with ADMIN_SECOND_FACTOR=1, else own',
    'Who must have a second factor: all, administrators, or each as they choose (own)',
  ],
  ADMIN_SECOND_FACTOR: [
    oneOf(['0', '1']).default('0'),
    '0',
    '1: as SECOND_FACTOR=administrators, which is the newer name and counts where both are given',
  ],
  ...oidcVariables,
  ACCESS_TOKEN_MINUTES: [
    between(0.02, 10_080, 'number').default(15),
    '15',
    'Life of an access token, up to a week for clients that can not renew it',
  ],
  JOBS: [
    oneOf(['here', 'elsewhere']).default('here'),
    'here',
    'elsewhere: this process leaves the jobs to `npm run worker`',
  ],
  DRAIN_SECONDS: [
    between(0, 60, 'number').default(5),
    '5',
    'How long after SIGTERM it serves on, so that a balancer can look elsewhere',
  ],
  SMTP_URL: [
    optional(
      z
        .string()
        .regex(/^smtps?:\/\/[^/]/, 'must begin with smtp:// or smtps://')
        .refine(
          (url) => URL.canParse(url),
          'must be an address as in smtp://user:password@host:587',
        ),
    ),
    'none, mails are kept',
    'The server that sends the mails',
  ],
  OWNER_EMAIL: [
    z.email('must be an e-mail address').default('owner@knowledge-bazaar.example'),
    'owner@knowledge-bazaar.example',
    'Where reports of problems go; an .example address is never mailed',
  ],
  REPORT_ALIASES: [
    list.pipe(z.array(z.email('must be e-mail addresses'))).prefault(''),
    'none',
    'Addresses that older clients hold for OWNER_EMAIL, comma-separated',
  ],
  AI_URL: [
    optional(z.url({ protocol: /^https?$/, error: 'must be an http(s) link' })),
    'none, the local model',
    'An OpenAI-compatible endpoint for the opinion on comments, such as https://ai.example/v1',
  ],
  AI_MODEL: [optional(z.string().max(100)), 'none', 'The model to ask there'],
  AI_KEY: [optional(z.string()), 'none', 'The key to ask with'],
  VIDEO_CHECK_URL: [
    z.string().refine(isLinkOrEmpty, 'must be an http(s) link').default(YOUTUBE_OEMBED),
    YOUTUBE_OEMBED,
    "The oEmbed endpoint that is asked for a video's title and picture, and weekly whether it can be played; empty: none is asked",
  ],
  MAIL_FROM: [
    z.email('must be an e-mail address').default('hello@knowledge-bazaar.example'),
    'hello@knowledge-bazaar.example',
    'The sender of our mails, also shown in the footer',
  ],
  OFFLINE_READING: [
    oneOf(['0', '1']).default('1'),
    '1',
    'Browsers keep what one has opened or unlocked last, to be read without a network; 0 takes it away',
  ],
  SOCIAL_URL: [
    z
      .url({ protocol: /^https?$/, error: 'must be an http(s) link' })
      .default('https://social.knowledge-bazaar.example'),
    'https://social.knowledge-bazaar.example',
    'The social-media link in the footer',
  ],
  DEMO: [oneOf(['0', '1']).default('1'), '1', 'Demo content in an empty embedded installation'],
  RATE_LIMITS: [
    oneOf(['on', 'off']).default('on'),
    'on',
    'off for benchmarks and outside test suites: no limits, no guard against overload',
  ],
  METRICS_PORT: [
    whole(0, 65_535).optional(),
    '9464',
    'Port of the Prometheus metrics, 0 for none; unset, none when it is taken',
  ],
  WEBHOOK_ALLOW_ADDRESSES: [
    addresses.prefault(''),
    'none, public ones only',
    'Private addresses that webhooks may be sent to, such as 10.1.2.3 or 10.1.0.0/16, comma-separated',
  ],
  ...traceVariables,
  NODE_ENV: [
    z.string().default('production'),
    'production',
    'development: /dev/mail shows the mails, to this machine alone',
  ],
  ...logVariables,
} as const satisfies Record<string, readonly [z.ZodType, string, string]>

type Values = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name][0]> }

export interface Config extends Omit<
  Values,
  'PORT' | 'METRICS_PORT' | 'PUBLIC_URL' | 'LOG_FORMAT'
> {
  /** Defaults to 3000; 0 means any free port. */
  readonly PORT: number
  readonly portGiven: boolean
  /** Defaults to 9464; 0 turns the metrics server off. */
  readonly METRICS_PORT: number
  readonly metricsPortGiven: boolean
  /** Undefined until the port is known, unless it is configured. */
  readonly PUBLIC_URL: string | undefined
  readonly LOG_FORMAT: LogFormat
  /** Settings of the site that the environment decides, which the page then can't change. */
  readonly settings: GivenSettings
}

/** Keys, and addresses that may contain a password. They must not be printed and may be read from files. */
const SECRET = new Set([
  'AUTH_SECRETS',
  ...DATABASE_SECRETS,
  'REDIS_URL',
  'S3_URL',
  'BACKUP_URL',
  'BACKUP_PASSPHRASE',
  'SMTP_URL',
  'AI_KEY',
  ...OIDC_SECRETS,
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
])

/** Treats empty values as absent, except where they turn something off. @throws ConfigError */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const parsed: Record<string, unknown> = {}
  const filled = readSecretFiles(environment, SECRET)
  for (const [name, [schema]] of Object.entries(variables)) {
    const given = filled[name] === '' && name !== 'VIDEO_CHECK_URL' ? undefined : filled[name]
    const result = schema.safeParse(given)
    if (!result.success) {
      throw new ConfigError(
        `${name} is "${SECRET.has(name) ? '…' : (given ?? '')}": ${result.error.issues[0]?.message ?? 'not valid'}.`,
      )
    }
    parsed[name] = result.data
  }
  const values = parsed as Values
  if (values.DATABASE_URL !== undefined && values.AUTH_SECRETS === undefined) {
    throw new ConfigError(
      'AUTH_SECRETS is required when DATABASE_URL is set: at least one key of 32 characters or more.',
    )
  }
  const mistake = oidcMistake(values)
  if (mistake !== null) throw new ConfigError(mistake)
  if (values.FILES_IN === 's3' && values.S3_URL === undefined)
    throw new ConfigError('FILES_IN is "s3": set S3_URL too, the address of the bucket.')
  if (values.FILES_URL?.startsWith('http:') && values.PUBLIC_URL?.startsWith('https:')) {
    throw new ConfigError(
      `FILES_URL is "${values.FILES_URL}": must begin with https:// as PUBLIC_URL does, because browsers show no pictures by http on a page by https.`,
    )
  }
  if (values.DATABASE_REPLICA_URL !== undefined && values.DATABASE_URL === undefined) {
    throw new ConfigError(
      'DATABASE_REPLICA_URL needs DATABASE_URL: the server whose replica it is. The embedded database has none.',
    )
  }
  return {
    ...values,
    PORT: values.PORT ?? 3000,
    portGiven: values.PORT !== undefined,
    METRICS_PORT: values.METRICS_PORT ?? 9464,
    metricsPortGiven: values.METRICS_PORT !== undefined,
    PUBLIC_URL: values.PUBLIC_URL,
    LOG_FORMAT: values.LOG_FORMAT ?? (environment['NODE_ENV'] === 'production' ? 'json' : 'text'),
    settings: readGivenSettings(filled),
  }
}

export function configHelp(): string {
  const write = ([name, fallback, meaning]: readonly [string, string, string]) =>
    `  ${name.padEnd(28)}${meaning} (${fallback})`
  const rows = Object.entries(variables).map(([name, [, fallback, meaning]]) =>
    write([name, fallback, meaning]),
  )
  const heading = `Environment variables (default in brackets). Those with secrets may lie in a file that NAME_FILE names: ${[...SECRET].join(', ')}.`
  const page =
    'The following settings can also be changed on the page /admin/settings. A variable that is set here wins.'
  return [heading, ...rows, page, ...settingRows().map(write)].join('\n')
}
