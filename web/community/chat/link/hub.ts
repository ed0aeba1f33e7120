/** One connection of the SignalR client, from start to end. */
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
  /** Called for each request. Null sends no token. */
  readonly token: () => Promise<string | null>
  readonly transport?: 'WebSockets' | 'ServerSentEvents' | 'LongPolling' | undefined
  /** Handlers by event name. None is called after `close`. */
  readonly listen: Readonly<Record<string, (...args: unknown[]) => void>>
}

export interface Hub {
  /** Rejects if the hub refuses, or the connection ends before the answer. */
  readonly invoke: (method: string, ...args: unknown[]) => Promise<unknown>
  /** Resolves when the connection has ended for any reason. */
  readonly ended: Promise<void>
  /** Ends the connection at once, even if the other side is unreachable. */
  readonly close: () => void
}

/** Time limit of negotiation and handshake in ms. If they take longer, the network blocks them. */
const START_MS = 15_000
/** The client's wording for a refused negotiation; its error has no status code. */
const REFUSED = /Status code '401'/

/** Returns `refused` if the hub refused the token. Throws if the hub is unreachable. */
export async function openHub(needs: HubNeeds): Promise<Hub | 'refused'> {
  const accessTokenFactory = async () => (await needs.token()) ?? ''
  const connection = new HubConnectionBuilder()
    .withUrl(needs.url, {
      accessTokenFactory,
      httpClient: withFreshTokens(accessTokenFactory),
      ...(needs.transport !== undefined && { transport: HttpTransportType[needs.transport] }),
    })
    // A short interruption loses nothing and is not even noticed.
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
 * The client caches its token. It intends to ask for another after a 401, but its own fetch throws first, so polls and
 * posts would end with the first token.
 */
function withFreshTokens(token: () => Promise<string>): HttpClient {
  const inner = new DefaultHttpClient(NullLogger.instance)
  const send = inner.send.bind(inner)
  inner.send = async (request) =>
    send({ ...request, headers: { ...request.headers, Authorization: `Bearer ${await token()}` } })
  return inner
}
