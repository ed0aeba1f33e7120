/** A person with the chat open, as a browser's tab would have it, in this process: the product's own modules. */
import type { Session } from '#contract/accounts.schemas.ts'
import type { Call } from '#contract/endpoint.ts'
import { startTcpProxy, type TcpProxy } from '#signalr/testing/tcp-proxy.ts'
import { createChatLink, type ChatLink, type LinkNeeds } from '#web/chat/link/chat-link.ts'
import { openRoom, type Room } from '#web/chat/conversation/room.ts'
import type { StoredUnsent, UnsentStore } from '#web/chat/conversation/unsent-store.ts'
import type { Api } from '#web/core/api.ts'
import { ApiError, readError } from '#web/core/api-error.ts'
import { toWire } from '#web/core/wire.ts'

export interface SoakPerson {
  readonly session: Session
  readonly link: ChatLink
  /** What stands between this person and the product. */
  readonly proxy: TcpProxy
  /** Ids of live messages, each time one came. */
  readonly heard: readonly number[]
  /** How often the link connected. */
  readonly connects: () => number
  enter(other: SoakPerson): Room
  leave(): Promise<void>
}

/** Signs up at the product itself, then sees it only through a proxy. */
export async function joinSoak(
  port: number,
  form: FormData,
  transport: NonNullable<LinkNeeds['transport']>,
): Promise<SoakPerson> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/identity/register`, {
    method: 'POST',
    body: form,
  })
  if (!answer.ok) throw new Error(`register answered ${answer.status}: ${await answer.text()}`)
  // The product's own answer.
  const session = (await answer.json()) as Session
  const token = session.accessToken
  const proxy = await startTcpProxy(port)
  const link = createChatLink({
    url: `${proxy.url}/chatHub`,
    token: () => Promise.resolve(token),
    renew: () => Promise.resolve(token),
    username: () => session.username,
    transport,
  })
  const heard: number[] = []
  let connects = 0
  link.onReceived(({ id }) => heard.push(id))
  link.onState(() => {
    if (link.state() === 'connected') connects += 1
  })
  link.start()
  return {
    session,
    link,
    proxy,
    heard,
    connects: () => connects,
    enter: (other) =>
      openRoom({
        api: createApi(proxy.url, token),
        link,
        store: createStore(),
        me: session,
        other: other.session.username,
        history: [],
        unread: 0,
        isSeen: () => true,
      }),
    leave: async () => {
      link.stop()
      await proxy.close()
    },
  }
}

/** As the browser's, without its renewals. */
export function createApi(origin: string, token: string): Api {
  return async <C extends Call>(call: C, input: unknown) => {
    const { method, url, body } = toWire(call, input)
    const headers = {
      authorization: `Bearer ${token}`,
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    }
    const response = await fetch(origin + url, { method, body, headers }).catch(unreached)
    const text = await response.text().catch(unreached)
    const answer: unknown = text === '' ? null : JSON.parse(text)
    if (!response.ok) {
      const seconds = Number(response.headers.get('retry-after'))
      throw readError(response.status, answer, response.statusText, seconds || undefined)
    }
    // The server cuts its answers to the contract.
    return answer as never
  }
}

function unreached(): never {
  throw new ApiError({ status: 0, message: 'not reached' })
}

/** As localStorage, for the life of the process. */
function createStore(): UnsentStore {
  const stored = new Map<string, StoredUnsent>()
  return {
    read: () => [...stored.values()],
    put: (one) => {
      stored.set(one.draftId, one)
      return true
    },
    drop: (draftId) => stored.delete(draftId),
  }
}
