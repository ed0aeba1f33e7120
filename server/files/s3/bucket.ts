/** The one way to a bucket: its client with limits of time, what its failures mean, and how far its clock is off. */
import {
  HeadBucketCommand,
  ListObjectsV2Command,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import {
  isMissing,
  isOfClient,
  isSilence,
  toFailure,
  S3Failure,
  type S3Trouble,
} from '#server/files/s3/failure.ts'
import type { Log } from '#server/kernel/log.ts'
import { traced } from '#server/kernel/traces/spans.ts'
import type { S3Address } from '#server/kernel/s3-address.ts'

export interface Bucket {
  readonly name: string
  readonly address: S3Address
  /** Of which the library for uploads makes its own client. */
  readonly config: S3ClientConfig
  /** Asks something of the server. @throws S3Failure, or what `isMissing` knows as it came */
  ask<Answer>(question: (client: S3Client) => Promise<Answer>): Promise<Answer>
  /** Milliseconds by which its clock is ahead of ours; null before the first answer. */
  clockOffset(): number | null
  /** Looks whether it answers and lets us in, for no longer than the signal lets it. @throws S3Failure */
  look(signal?: AbortSignal): Promise<void>
  close(): void
}

/** Milliseconds. */
const CONNECT_MS = 1500
/** For the head of an answer: what is asked most is small. */
export const ANSWER_MS = 4000
/** For a part of a large file. */
export const PART_MS = 30_000
/** Without a byte in either direction. */
const SILENT_MS = 60_000
/** One, and two more with growing pauses. */
const TRIES = 3
const SOCKETS = 64
/** Whoever asks a server that does not answer is refused at once for so long: nobody waits, nor holds a connection of
 * the database meanwhile. */
const BREAK_MS = 2000
/** The same trouble is logged once in so long. */
const LOG_MS = 60_000
/** What its header leaves out. */
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
    // Next to the socket, where answers that are errors pass too.
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
    ask: async (question) => {
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
        if (isSilence(error)) broken = { failure, until: performance.now() + BREAK_MS }
        note(failure)
        throw failure
      }
    },
    look: async (signal) => {
      const Bucket = address.bucket
      const inTime = { requestTimeout: ANSWER_MS, ...(signal && { abortSignal: signal }) }
      try {
        await bucket.ask((each) => each.send(new HeadBucketCommand({ Bucket }), inTime))
      } catch (error) {
        if (error instanceof S3Failure && error.trouble === 'away') throw error
        if (signal?.aborted === true) throw toFailure(error)
        // That answer has no body, so it does not say why; a list of nothing does.
        await bucket
          .ask((each) => each.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }), inTime))
          .catch((reason: unknown) => {
            throw toFailure(reason)
          })
      }
    },
    close: () => client.destroy(),
  }
  return bucket
}

/** Each command is a span of whoever asked for it, all its tries together. */
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
    // Checksums that are a novelty of one vendor are refused, or stored, by others.
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

/** By the date of an answer, which is cut to the second. */
function offsetOf(response: unknown): number | null {
  if (typeof response !== 'object' || response === null || !('headers' in response)) return null
  const { headers } = response
  if (typeof headers !== 'object' || headers === null || !('date' in headers)) return null
  const time = Date.parse(String(headers.date))
  return Number.isNaN(time) ? null : time + HALF_A_SECOND - Date.now()
}
