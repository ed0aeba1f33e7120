/** Uploads a resource in chunks (tus), so that a broken connection costs seconds and not the whole file. */
import { type DetailedError, Upload } from 'tus-js-client'
import { files } from '#contract/files.ts'
import { freshToken } from '#web/core/renewal.ts'
import { requestSignIn } from '#web/core/sign-in-request.ts'

const ADDRESS = `/api${files.uploadResource.path}`
const PIECE_BYTES = 4 * 1024 * 1024
/** Delays of the first retries in ms. */
const RETRIES = [0, 1000, 3000, 5000]
const LONGEST_WAIT_MS = 10_000

export interface UploadListener {
  /** Gets the bytes that the server has received. */
  readonly onProgress: (sent: number) => void
  /** Gets the URL that a lesson stores. */
  readonly onDone: (url: string) => void
  /** Called when the network is away. The upload continues automatically. */
  readonly onWaiting: () => void
  /** Gets the server's error message, or null when it was not reached. */
  readonly onFailed: (message: string | null) => void
}

export interface RunningUpload {
  /** Continues where the upload stopped. */
  readonly resume: () => void
  /** Stops; the server keeps what it received. */
  readonly pause: () => void
  /** Stops, and the server deletes what it received. */
  readonly cancel: () => void
}

/** Starts immediately, and continues an unfinished upload of the same file from the last day. */
export function startUpload(file: File, listener: UploadListener): RunningUpload {
  const upload = new Upload(file, {
    endpoint: ADDRESS,
    metadata: { filename: file.name },
    chunkSize: PIECE_BYTES,
    retryDelays: RETRIES,
    removeFingerprintOnSuccess: true,
    onBeforeRequest: async (request) => {
      const token = await freshToken()
      if (token !== null) request.setHeader('Authorization', `Bearer ${token}`)
      request.setHeader('Accept-Language', document.documentElement.lang)
    },
    onShouldRetry: (error) => {
      const status = statusOf(error)
      if (isAway(status)) listener.onWaiting()
      return isAway(status) || status === 409 || status === 423
    },
    onProgress: (sent) => listener.onProgress(sent),
    onSuccess: ({ lastResponse }) => {
      const url = lastResponse.getHeader('x-resource-url')
      if (url === undefined) listener.onFailed(null)
      else listener.onDone(url)
    },
    onError: (error) => {
      const response = 'originalResponse' in error ? error.originalResponse : null
      void fail(statusOf(error), response?.getBody())
    },
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  /** After all retries, waits for the browser's online event, or at most LONGEST_WAIT_MS. */
  const wait = () => {
    listener.onWaiting()
    timer = setTimeout(goOn, LONGEST_WAIT_MS)
    window.addEventListener('online', goOn)
  }
  const goOn = () => {
    stopWaiting()
    upload.start()
  }
  const stopWaiting = () => {
    clearTimeout(timer)
    window.removeEventListener('online', goOn)
  }
  const fail = async (status: number, body: string | undefined) => {
    if (isAway(status)) wait()
    else if (status === 401 && (await requestSignIn())) upload.start()
    else listener.onFailed(sentenceOf(body))
  }
  const start = async () => {
    const [newest] = await upload.findPreviousUploads()
    if (newest !== undefined) upload.resumeFromPreviousUpload(newest)
    upload.start()
  }
  const begin = () => void start().catch(() => listener.onFailed(null))
  begin()
  return {
    resume: goOn,
    pause: () => {
      stopWaiting()
      void upload.abort().catch(() => {})
    },
    cancel: () => {
      stopWaiting()
      void upload.abort(true).catch(() => {})
    },
  }
}

/** 0 when there was no response. */
function statusOf(error: Error | DetailedError): number {
  const response = 'originalResponse' in error ? error.originalResponse : null
  return response?.getStatus() ?? 0
}

/** True without a response, and when a proxy can't reach the server or the server asks to retry later. */
const isAway = (status: number): boolean => status === 0 || (status >= 502 && status <= 504)

/** Returns the first message of either error format. */
function sentenceOf(body: string | undefined): string | null {
  try {
    const parsed: unknown = JSON.parse(body ?? '')
    const first: unknown = Array.isArray(parsed) ? parsed[0] : parsed
    if (typeof first !== 'object' || first === null) return null
    if ('description' in first && typeof first.description === 'string') return first.description
    return 'title' in first && typeof first.title === 'string' ? first.title : null
  } catch {
    return null
  }
}
