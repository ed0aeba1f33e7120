/** One connection of the SignalR client, from its start to its end. */
import {
  DefaultHttpClient,
  type HttpClient,
  HttpTransportType,
  HubConnectionBuilder,
  LogLevel,
  NullLogger,
} from '@microsoft/signalr'

export interface HubNeeds {
  readonly url: string
  /** Asked for each request. Null is sent as no token. */
  readonly token: () => Promise<string | null>
  readonly transport?: 'WebSockets' | 'ServerSentEvents' | 'LongPolling' | undefined
  /** By the name of the event. Nothing comes after `close`. */
  readonly listen: Readonly<Record<string, (...args: unknown[]) => void>>
}

export interface Hub {
  /** Rejects when the hub refuses, and when the connection ends before the answer. */
  readonly invoke: (method: string, ...args: unknown[]) => Promise<unknown>
  /** Resolves when the connection has ended, for whatever reason. */
  readonly ended: Promise<void>
  /** Ends it at once, even when the other side can't be reached. */
  readonly close: () => void
}

/** Negotiation and handshake take no longer, or the way is blocked. */
const START_MS = 15_000
/** How the client words a refused negotiation; it hands on no number. */
const REFUSED = /Status code '401'/

/** Connects; `refused`: the token was. @throws when the hub can't be reached */
export async function openHub(needs: HubNeeds): Promise<Hub | 'refused'> {
  const accessTokenFactory = async () => (await needs.token()) ?? ''
  const connection = new HubConnectionBuilder()
    .withUrl(needs.url, {
      accessTokenFactory,
      httpClient: withFreshTokens(accessTokenFactory),
      ...(needs.transport !== undefined && { transport: HttpTransportType[needs.transport] }),
    })
    // A cut that is mended at once loses nothing and is not even seen.
    .withStatefulReconnect()
    .configureLogging(LogLevel.None)
    .build()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let isOpen = true
  for (const [event, listener] of Object.entries(needs.listen)) {
    connection.on(event, (...args: unknown[]) => {
      if (isOpen) listener(...args)
    })
  }
  connection.onclose(() => end())
  const close = () => {
    isOpen = false
    end()
    connection.stop().catch(() => {})
  }
  const late = setTimeout(close, START_MS)
  try {
    await connection.start()
  } catch (error) {
    if (error instanceof Error && REFUSED.test(error.message)) return 'refused'
    throw error
  } finally {
    clearTimeout(late)
  }
  return { invoke: (method, ...args) => connection.invoke(method, ...args), ended, close }
}

/**
 * The client asks for a token once and caches it; it means to ask again after a 401, but its own fetch throws before.
 * Polls and posts would end with the first token.
 */
function withFreshTokens(token: () => Promise<string>): HttpClient {
  const inner = new DefaultHttpClient(NullLogger.instance)
  const send = inner.send.bind(inner)
  inner.send = async (request) =>
    send({ ...request, headers: { ...request.headers, Authorization: `Bearer ${await token()}` } })
  return inner
}
