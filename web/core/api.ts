/** API calls from the browser. Loaders get this function or the server's equivalent as `api` in their arguments. */
import type { AnswerOf, Endpoint, InputOf } from '#contract/endpoint.ts'
import { ApiError, readError } from '#web/core/api-error.ts'
import { currentText } from '#web/core/i18n.tsx'
import { freshToken, isSessionLost, renew } from '#web/core/renewal.ts'
import { currentPerson, currentToken } from '#web/core/session.ts'
import { requestSignIn } from '#web/core/sign-in-request.ts'
import { toWire, type WireRequest } from '#web/core/wire.ts'

export interface ApiOptions {
  readonly signal?: AbortSignal | undefined
  /** Receives the share of the body that has been uploaded, from 0 to 1. */
  readonly progress?: ((share: number) => void) | undefined
  /** Marks a prefetch, or a call that fills a form, so that the server does not count a view. */
  readonly quiet?: boolean | undefined
  /** Lets the call finish after the user leaves the page. */
  readonly keepalive?: boolean | undefined
  /** Marks a background call: it fails instead of asking the user to sign in. */
  readonly unasked?: boolean | undefined
  /** The id of the person for whom the call is. It fails with 401 if somebody else has signed in meanwhile. */
  readonly person?: string | undefined
  /** Sends no access token. */
  readonly asGuest?: boolean | undefined
}

export type Api = <C extends Endpoint>(
  call: C,
  input: InputOf<C>,
  options?: ApiOptions,
) => Promise<AnswerOf<C>>

interface WireAnswer {
  readonly status: number
  readonly body: unknown
  readonly header: (name: string) => string | null
}

/**
 * Renews an expiring token first. Calls that change something wait while the user signs in again, or confirms their
 * identity if the server demands it. Throws ApiError.
 */
export const api: Api = async (call, input, options = {}) => {
  const request = toWire(call, input)
  const mayAsk = call.access !== 'anybody' && call.access !== 'cookie' && options.unasked !== true
  const writes = mayAsk && request.method !== 'GET'
  if (writes && isSessionLost()) await requestSignIn()
  let answer = await attempt(call, request, options)
  if (answer.status === 401 && writes && (await requestSignIn())) {
    answer = await attempt(call, request, options)
  }
  if (isUnconfirmed(answer) && options.unasked !== true && (await requestSignIn('confirm')))
    answer = await attempt(call, request, options)
  if (answer.status >= 400 || answer.status === 0) throw refusalOf(answer)
  // The server's serializer reduces every answer to the contract's shape.
  return answer.body as AnswerOf<typeof call>
}

const isUnconfirmed = (answer: WireAnswer): boolean =>
  answer.status === 403 && refusalOf(answer).key === 'confirmFirst'

async function attempt(
  call: Endpoint,
  request: WireRequest,
  options: ApiOptions,
): Promise<WireAnswer> {
  const free = call.access === 'cookie' || options.asGuest === true
  const token = free ? null : await freshToken().catch(rethrowOffline)
  requirePerson(token, options)
  const answer = await send(request, token, options).catch(rethrowOffline)
  const refused =
    answer.header('x-session') === 'expired' || (answer.status === 401 && token !== null)
  if (free || token === null || !refused) return answer
  const renewed = await renew(token).catch(rethrowOffline)
  if (renewed === null && answer.status === 401) return answer
  requirePerson(renewed, options)
  return send(request, renewed, options).catch(rethrowOffline)
}

/** Call it right before sending, because the tab may adopt another tab's session while the token is renewed. */
function requirePerson(token: string | null, { person }: ApiOptions): void {
  if (person === undefined || (currentPerson()?._id === person && currentToken() === token)) return
  throw new ApiError({ status: 401, message: currentText('notReached') })
}

function rethrowOffline(error: unknown): never {
  if (error instanceof ApiError || (error instanceof DOMException && error.name === 'AbortError'))
    throw error
  throw new ApiError({ status: 0, message: currentText('notReached') })
}

function refusalOf(answer: WireAnswer): ApiError {
  const retryAfter = Number(answer.header('retry-after'))
  return readError(
    answer.status,
    answer.body,
    currentText('somethingWrong'),
    retryAfter || undefined,
  )
}

function headersOf(
  request: WireRequest,
  token: string | null,
  options: ApiOptions,
): Record<string, string> {
  return {
    'accept-language': document.documentElement.lang,
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(typeof request.body === 'string' && { 'content-type': 'application/json' }),
    ...(options.quiet === true && { 'x-prefetch': '1' }),
  }
}

async function send(
  request: WireRequest,
  token: string | null,
  options: ApiOptions,
): Promise<WireAnswer> {
  const headers = headersOf(request, token, options)
  if (options.progress !== undefined) return upload(request, headers, options)
  const { method, body } = request
  const response = await fetch(request.url, {
    method,
    body,
    headers,
    signal: options.signal ?? null,
    keepalive: options.keepalive ?? false,
  })
  const text = await response.text()
  return {
    status: response.status,
    body: parse(text),
    header: (name) => response.headers.get(name),
  }
}

/** Uses XMLHttpRequest because fetch reports no upload progress. */
function upload(
  request: WireRequest,
  headers: Record<string, string>,
  options: ApiOptions,
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest()
    call.open(request.method, request.url)
    for (const [name, value] of Object.entries(headers)) call.setRequestHeader(name, value)
    call.upload.addEventListener('progress', (event) =>
      options.progress?.(event.loaded / event.total),
    )
    call.addEventListener('load', () =>
      resolve({
        status: call.status,
        body: parse(call.responseText),
        header: (name) => call.getResponseHeader(name),
      }),
    )
    call.addEventListener('error', () => reject(new TypeError('not reached')))
    call.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
    options.signal?.addEventListener('abort', () => call.abort())
    call.send(request.body)
  })
}

/** Returns null for an empty body (204), and for one that is not JSON, as the specification requires. */
function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return null
  }
}
