/** A hub with a method for each feature, for tests and external test suites. */
import { HubError, type HubDefinition } from '../src/hub.ts'
import type { HubClients } from '../src/hub-context.ts'

/** Test suites expect this name. */
export class InvalidOperation extends Error {
  override readonly name = 'InvalidOperationException'
}

/** `clients` reaches connections other than the caller's. */
export function createTestHub(clients: () => HubClients): HubDefinition {
  return {
    methods: {
      Echo: (_context, message) => message,
      EchoComplexObject: (_context, value) => value,
      GetCallerConnectionId: (context) => context.connectionId,
      GetNumRedirects: (context) => {
        const [, query = ''] = context.request.url.split('?')
        return Number(new URLSearchParams(query).get('numRedirects'))
      },
      GetActiveTransportName: (context) => context.transport,
      GetContentTypeHeader: (context) => context.request.headers['content-type'] ?? null,
      GetHeader: (context, name) => context.request.headers[String(name).toLowerCase()] ?? null,
      GetCookie: (context, name) => readCookie(context.request.headers.cookie, String(name)),
      GetUser: (context) => context.user?.id ?? null,
      ThrowException: (_context, message) => {
        throw new InvalidOperation(String(message))
      },
      ThrowHubException: (_context, message) => {
        throw new HubError(String(message))
      },
      InvokeWithString: (context, message) => context.caller.send('Message', message),
      SendCustomObject: (context, value) => context.caller.send('CustomObject', value),
      SendComplexObject: () => ({
        ByteArray: new Uint8Array([1, 2, 3]),
        DateTime: new Date(Date.UTC(2000, 0, 1)),
        Guid: '00010203-0405-0607-0706-050403020100',
        IntArray: [1, 2, 3],
        String: 'hello world',
      }),
      AskCaller: async (context, method) =>
        `got ${String(await context.caller.invoke(String(method)))}`,
      JoinGroup: (context, name) => context.join(String(name)),
      LeaveGroup: (context, name) => context.leave(String(name)),
      SendToGroup: (_context, name, text) => clients().group(String(name)).send('Message', text),
      Blob: (_context, size) => 'x'.repeat(Number(size)),
      Wait: (_context, milliseconds) =>
        new Promise((resolve) => setTimeout(resolve, Number(milliseconds))),
      Abort: (context) => context.abort(),
      StreamingConcat: {
        uploads: 1,
        run: async (_context, items) => {
          let text = ''
          // Uploads arrive as async iterables after the sent parameters.
          for await (const item of items as AsyncIterable<unknown>) text += String(item)
          return text
        },
      },
    },
    streams: {
      Stream: () => ['a', 'b', 'c'],
      EmptyStream: () => [],
      Count: (_context, total) => count(Number(total)),
      StreamThrowException: (_context, message) => {
        throw new InvalidOperation(String(message))
      },
      StreamFailure: (_context, total) => fail(Number(total)),
      InfiniteStream: (context) => {
        context.signal.addEventListener('abort', () =>
          clients().client(context.connectionId).send('StreamCanceled'),
        )
        return never()
      },
    },
  }
}

async function* count(total: number) {
  for (let number = 0; number < total; number++) yield number
}

async function* fail(total: number) {
  yield* count(total)
  throw new InvalidOperation('Ran out of data!')
}

/** Yields nothing and never ends. */
function never(): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }
}

function readCookie(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [key = '', value = ''] = pair.trim().split('=')
    if (key === name) return value
  }
  return null
}
