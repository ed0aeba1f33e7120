/** The only way to a bucket: its client with timeouts, the meaning of its errors, and the offset of its clock. */
import {
  HeadBucketCommand,
  ListObjectsV2Command,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import {
  isMissing,
  isOfClient,
  isUnanswered,
  toFailure,
  S3Failure,
  type S3Trouble,
} from '#server/platform/files/s3/failure.ts'
import type { Log } from '#server/kernel/log.ts'
import { traced } from '#server/kernel/traces/spans.ts'
import type { S3Address } from '#server/kernel/s3-address.ts'

export interface Bucket {
  readonly name: string
  readonly address: S3Address
  /** The upload library creates its own client from this. */
  readonly config: S3ClientConfig
  /** Runs a request. @throws S3Failure, or an error for which `isMissing` is true, unchanged */
  run<Answer>(question: (client: S3Client) => Promise<Answer>): Promise<Answer>
  /** Milliseconds by which the server's clock is ahead of ours; null before the first response. */
  clockOffset(): number | null
  /** Checks that the server responds and accepts us, until the signal aborts. @throws S3Failure */
  look(signal?: AbortSignal): Promise<void>
  close(): void
}

/** In ms. */
const CONNECT_MS = 1500
/** In ms for the head of a response; most of what is requested is small. */
export const ANSWER_MS = 4000
/** In ms for a part of a large file. */
export const PART_MS = 30_000
/** In ms without a byte in either direction. */
const SILENT_MS = 60_000
/** One try and two retries with growing pauses. */
const TRIES = 3
const SOCKETS = 64
/**
 * In ms. After a timeout further requests fail at once for this long, so that nobody waits and holds a database
 * connection meanwhile.
 */
const BREAK_MS = 2000
/** In ms; the same problem is logged once in this time. */
const LOG_MS = 60_000
/** The Date header has no fractions of a second, so this corrects the average. */
const HALF_A_SECOND = 500

/** Opens no connection yet. */
export function openBucket(address: S3Address, log: Log): Bucket {
  const config = configOf(address)
  const client = new S3Client(config)
  let offset: number | null = null
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args)
      offset = offsetOf(result.response) ?? offset
      return result
    },
    // This step is next to the socket, so error responses pass it too.
    { step: 'deserialize', priority: 'low', name: 'clockOffset' },
  )

  traceCommands(client)

  let broken: { readonly failure: S3Failure; readonly until: number } | null = null
  let isAway = false
  const logged = new Map<S3Trouble, number>()
  const note = (failure: S3Failure) => {
    isAway ||= failure.trouble === 'away'
    const now = performance.now()
    if (now - (logged.get(failure.trouble) ?? -Infinity) < LOG_MS) return
    logged.set(failure.trouble, now)
    log.error({ trouble: failure.trouble }, failure.message)
  }
  const noteAnswer = () => {
    broken = null
    if (!isAway) return
    isAway = false
    logged.delete('away')
    log.warn('S3_URL: it answers again')
  }
  const bucket: Bucket = {
    name: address.bucket,
    address,
    config,
    clockOffset: () => offset,
    run: async (question) => {
      if (broken !== null && performance.now() < broken.until) throw broken.failure
      try {
        const answer = await question(client)
        noteAnswer()
        return answer
      } catch (error) {
        if (!isOfClient(error)) throw error
        if (isMissing(error)) {
          noteAnswer()
          throw error
        }
        const failure = toFailure(error)
        if (isUnanswered(error)) broken = { failure, until: performance.now() + BREAK_MS }
        note(failure)
        throw failure
      }
    },
    look: async (signal) => {
      const Bucket = address.bucket
      const inTime = { requestTimeout: ANSWER_MS, ...(signal && { abortSignal: signal }) }
      try {
        await bucket.run((each) => each.send(new HeadBucketCommand({ Bucket }), inTime))
      } catch (error) {
        if (error instanceof S3Failure && error.trouble === 'away') throw error
        if (signal?.aborted === true) throw toFailure(error)
        // That response has no body with the reason; listing one key returns it.
        await bucket
          .run((each) => each.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }), inTime))
          .catch((reason: unknown) => {
            throw toFailure(reason)
          })
      }
    },
    close: () => client.destroy(),
  }
  return bucket
}

/** Each command, with all its tries, is a child of the caller's span. */
function traceCommands(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName = 'request' }) =>
      (args) => {
        const method = commandName.replace(/Command$/, '')
        const attributes = { 'rpc.service': 'S3', 'rpc.method': method }
        return traced(`S3 ${method}`, 'client', attributes, () => next(args))
      },
    { step: 'initialize', name: 'traces' },
  )
}

function configOf(address: S3Address): S3ClientConfig {
  return {
    endpoint: address.endpoint,
    region: address.region,
    forcePathStyle: address.style === 'path',
    credentials: { accessKeyId: address.accessKey, secretAccessKey: address.secretKey },
    maxAttempts: TRIES,
    // Other vendors refuse the newer checksums, or store them as content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    followRegionRedirects: false,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: PART_MS,
      throwOnRequestTimeout: true,
      socketTimeout: SILENT_MS,
      httpAgent: { keepAlive: true, maxSockets: SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: SOCKETS },
    },
  }
}

/** Uses the Date header, which is cut to the second. */
function offsetOf(response: unknown): number | null {
  if (typeof response !== 'object' || response === null || !('headers' in response)) return null
  const { headers } = response
  if (typeof headers !== 'object' || headers === null || !('date' in headers)) return null
  const time = Date.parse(String(headers.date))
  return Number.isNaN(time) ? null : time + HALF_A_SECOND - Date.now()
}
