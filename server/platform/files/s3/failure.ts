/** Turns errors of a bucket into sentences that name the setting, never the errors' own words. */

export type S3Trouble = 'away' | 'full' | 'bucket' | 'region' | 'keys' | 'right' | 'clock' | 'other'

/** Advice for operators. */
const SENTENCES: Readonly<Record<S3Trouble, string>> = {
  away: 'nobody answers there, or only that it is busy. Look whether the server of S3_URL runs and can be reached.',
  full: 'the bucket is full. Make room in it, or raise its quota.',
  bucket: 'there is no such bucket. Create it, or name another one in S3_URL.',
  region: 'the bucket is in another region. Add region=… to S3_URL.',
  keys: 'it refuses the keys. Look at the access key and its secret in S3_URL.',
  right:
    'it denies a right. Let the keys of S3_URL list the bucket, and read, write and delete in it (docs/operations.md).',
  clock:
    "its clock and this machine's differ by too much for signed requests. Set this machine's clock (NTP).",
  other: 'it refused what was asked. Look whether it is an S3 server, and at its own log.',
}

const BY_CODE: Readonly<Record<string, S3Trouble>> = {
  NoSuchBucket: 'bucket',
  PermanentRedirect: 'region',
  AuthorizationHeaderMalformed: 'region',
  InvalidAccessKeyId: 'keys',
  SignatureDoesNotMatch: 'keys',
  InvalidToken: 'keys',
  AccessDenied: 'right',
  AllAccessDisabled: 'right',
  AccountProblem: 'right',
  RequestTimeTooSkewed: 'clock',
  RequestExpired: 'clock',
  QuotaExceeded: 'full',
  EntityTooLarge: 'full',
  InsufficientStorage: 'full',
  XMinioStorageFull: 'full',
  XMinioAdminBucketQuotaExceeded: 'full',
  SlowDown: 'away',
  ServiceUnavailable: 'away',
  RequestTimeout: 'away',
  TimeoutError: 'away',
}

/** Codes that the error mapper (kernel/http/http-errors.ts) turns into 507 and 503. */
const CODES: Readonly<Partial<Record<S3Trouble, string>>> = { full: 'EDQUOT' }
const AWAY = 'S3_AWAY'

/** A request to the bucket that failed. It contains neither keys nor addresses. */
export class S3Failure extends Error {
  readonly code: string
  readonly trouble: S3Trouble
  /** A message that anybody who asks for the state of the product may read. */
  readonly sentence: string

  /** `why` is the name of the error and its status, for the log. */
  constructor(trouble: S3Trouble, why: string) {
    super(`S3_URL: ${SENTENCES[trouble]} (${why})`)
    this.name = 'S3Failure'
    this.trouble = trouble
    this.code = CODES[trouble] ?? AWAY
    this.sentence = SENTENCES[trouble]
  }
}

interface Known {
  readonly name: string
  readonly code: string | undefined
  readonly status: number | undefined
}

function describeError(error: unknown): Known {
  if (typeof error !== 'object' || error === null)
    return { name: 'unknown', code: undefined, status: undefined }
  const text = (name: string) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' ? value : undefined
  }
  const metadata: unknown = Reflect.get(error, '$metadata')
  const status: unknown =
    typeof metadata === 'object' && metadata !== null
      ? Reflect.get(metadata, 'httpStatusCode')
      : undefined
  return {
    name: text('name') ?? 'Error',
    code: text('code') ?? text('Code'),
    status: typeof status === 'number' ? status : undefined,
  }
}

/** Returns true when an object or a multipart upload doesn't exist. */
export function isMissing(error: unknown): boolean {
  const { name, code, status } = describeError(error)
  const names = [name, code]
  if (names.includes('NoSuchBucket')) return false
  return (
    names.some((each) => ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(each ?? '')) ||
    status === 404
  )
}

/**
 * Returns true for errors of the bucket's client, which record their tries, and false for those of a stream or a
 * disk.
 */
export function isOfClient(error: unknown): boolean {
  return typeof error === 'object' && error !== null && '$metadata' in error
}

/** Returns true when there was no response, so that the next request would wait in vain too. */
export function isUnanswered(error: unknown): boolean {
  return describeError(error).status === undefined
}

export function toFailure(error: unknown): S3Failure {
  if (error instanceof S3Failure) return error
  const { name, code, status } = describeError(error)
  const why = [...new Set([name, code, status])].filter((part) => part !== undefined).join(' ')
  return new S3Failure(BY_CODE[name] ?? BY_CODE[code ?? ''] ?? byStatus(status), why)
}

/** Without a status there was no response: the connection failed or was cut. */
function byStatus(status: number | undefined): S3Trouble {
  if (status === undefined || status === 429) return 'away'
  if (status === 507) return 'full'
  if (status >= 500 && status !== 501) return 'away'
  if (status === 403) return 'right'
  if (status === 401) return 'keys'
  // HEAD has no body that says what is missing.
  if (status === 301) return 'region'
  return status === 404 ? 'bucket' : 'other'
}
