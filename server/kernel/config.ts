/** The configuration: one schema of the environment, every variable with a default and one line of meaning. */
import * as z from 'zod'
import { parseS3Address } from '#server/kernel/s3-address.ts'
import { readRedisUrl, RedisUrlError } from '#server/redis/settings.ts'

const between = (min: number, max: number, kind: string) => {
  const error = `must be a ${kind} from ${min} to ${max}`
  return z.coerce.number({ error }).min(min, error).max(max, error)
}
const whole = (min: number, max: number) =>
  between(min, max, 'whole number').int(`must be a whole number from ${min} to ${max}`)
const oneOf = <const Choices extends readonly [string, ...string[]]>(choices: Choices) =>
  z.enum(choices, { error: `must be one of ${choices.join(', ')}` })
const secret = (key: string) => key.length >= 32
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)
const origin = z
  .string()
  .regex(/^https?:\/\/[^/\s]+$/, 'must be an origin such as https://bazaar.example')
const line = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .max(120, 'must have at most 120 characters')
  .regex(/^[^\p{Cc}]*$/u, 'must be one line')
const s3 = z.string().transform((text, context) => {
  const address = parseS3Address(text)
  if (typeof address !== 'string') return address
  context.addIssue({ code: 'custom', message: address })
  return z.NEVER
})
/** Says as an issue what the address lacks. */
function refuseWrongRedisUrl(url: string, context: z.RefinementCtx): void {
  try {
    readRedisUrl(url)
  } catch (error) {
    if (!(error instanceof RedisUrlError)) throw error
    context.addIssue({ code: 'custom', message: `must ${error.message}` })
  }
}
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.optional()

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
  DATABASE_URL: [
    optional(z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')),
    'the embedded database',
    'PostgreSQL 15 or newer',
  ],
  DATABASE_DIRECT_URL: [
    optional(z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')),
    'DATABASE_URL',
    'The same database past a pooler, for migrations and jobs',
  ],
  DATABASE_REPLICA_URL: [
    optional(z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')),
    'none, all is read from DATABASE_URL',
    'A streaming replica of that server, for reads that may be a second old',
  ],
  DATABASE_PREPARE: [
    oneOf(['0', '1']).default('1'),
    '1',
    'Named statements; 0 behind a pooler that loses them',
  ],
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
  MAIL_FROM: [
    z.email('must be an e-mail address').default('hello@knowledge-bazaar.example'),
    'hello@knowledge-bazaar.example',
    'The sender of our mails, also shown in the footer',
  ],
  SITE_NAME: [optional(line), 'Knowledge Bazaar', 'What the site is called, in every language'],
  SITE_NAME_BG: [optional(line), 'SITE_NAME, else Базар на знания', 'Its name in Bulgarian'],
  SITE_TAGLINE: [
    optional(line),
    'Knowledge is free, but it has to be earned.',
    'The sentence under the name, in every language',
  ],
  SITE_TAGLINE_BG: [
    optional(line),
    'SITE_TAGLINE, else Знанието е безплатно, но трябва да се заслужи.',
    'The sentence in Bulgarian',
  ],
  SOCIAL_URL: [
    z
      .url({ protocol: /^https?$/, error: 'must be an http(s) link' })
      .default('https://social.knowledge-bazaar.example'),
    'https://social.knowledge-bazaar.example',
    'The social-media link in the footer',
  ],
  DEMO: [oneOf(['0', '1']).default('1'), '1', 'Demo content in an empty embedded installation'],
  WELCOME_POINTS: [whole(0, 1_000_000).default(0), '0', 'KB Points of a new user'],
  DAILY_REWARD_LIMIT: [whole(0, 10_000).default(10), '10', 'Rewarded lessons a UTC day'],
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
  NODE_ENV: [
    z.string().default('production'),
    'production',
    'development: /dev/mail shows the mails, to this machine alone',
  ],
  LOG_LEVEL: [
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'info',
    'How much is logged',
  ],
} as const satisfies Record<string, readonly [z.ZodType, string, string]>

type Values = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name][0]> }

export interface Config extends Omit<Values, 'PORT' | 'METRICS_PORT' | 'PUBLIC_URL'> {
  /** 3000 unless given; 0: any free port. */
  readonly PORT: number
  readonly portGiven: boolean
  /** 9464 unless given; 0: none. */
  readonly METRICS_PORT: number
  readonly metricsPortGiven: boolean
  /** Undefined until the port is known, unless given. */
  readonly PUBLIC_URL: string | undefined
}

/** Thrown with a sentence that names the variable. */
export class ConfigError extends Error {}

/** Values that must not be printed: keys, and addresses that may have a password in them. */
const SECRET = new Set([
  'AUTH_SECRETS',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'S3_URL',
  'SMTP_URL',
  'AI_KEY',
])

/** Parses the environment. Empty values count as absent. @throws ConfigError */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const parsed: Record<string, unknown> = {}
  for (const [name, [schema]] of Object.entries(variables)) {
    const given = environment[name] === '' ? undefined : environment[name]
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
  if (values.FILES_IN === 's3' && values.S3_URL === undefined)
    throw new ConfigError('FILES_IN is "s3": set S3_URL too, the address of the bucket.')
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
  }
}

/** The text of `--help`: every variable, its default and its meaning. */
export function configHelp(): string {
  const rows = Object.entries(variables).map(
    ([name, [, fallback, meaning]]) => `  ${name.padEnd(22)}${meaning} (${fallback})`,
  )
  return ['Environment variables (default in brackets):', ...rows].join('\n')
}
