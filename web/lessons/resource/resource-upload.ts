/** One resource on its way to the server: in pieces, so that a cut line costs seconds and not the whole file. */
import { type DetailedError, Upload } from 'tus-js-client'
import { files } from '#contract/files.ts'
import { freshToken } from '#web/core/renewal.ts'
import { requestSignIn } from '#web/core/sign-in-request.ts'

const ADDRESS = `/api${files.uploadResource.path}`
const PIECE_BYTES = 4 * 1024 * 1024
/** Milliseconds between the first attempts. */
const RETRIES = [0, 1000, 3000, 5000]
const LONGEST_WAIT_MS = 10_000

export interface UploadListener {
  /** Bytes that the server has. */
  readonly onProgress: (sent: number) => void
  /** The address that a lesson stores. */
  readonly onDone: (url: string) => void
  /** The network is away: it goes on by itself. */
  readonly onWaiting: () => void
  /** `message` is the server's own sentence, or null when it was not reached. */
  readonly onFailed: (message: string | null) => void
}

export interface RunningUpload {
  /** Goes on where it stopped. */
  readonly resume: () => void
  /** Stops; the server stores what it got. */
  readonly pause: () => void
  /** Stops, and has the server forget what it got. */
  readonly cancel: () => void
}

/** Starts at once; a half upload of the same file, of the last day, is found again and continued. */
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
  /** After all attempts: until the browser says that there is a network again, and now and then without its word. */
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

/** 0 when nothing was answered. */
function statusOf(error: Error | DetailedError): number {
  const response = 'originalResponse' in error ? error.originalResponse : null
  return response?.getStatus() ?? 0
}

/** Nobody answered, or a proxy that did not reach the server, or a server that asks to come back. */
const isAway = (status: number): boolean => status === 0 || (status >= 502 && status <= 504)

/** The first sentence of either error shape. */
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
