/** What a hub is made of: named methods that clients call, and what happens when they come and go. */
import type { HubUser, RequestFacts } from './connections/connection.ts'
import type { TransportName } from './transports/transport.ts'

/** Whom one speaks to: everybody, a group, a user, one connection. */
export interface Target {
  /** An event; nobody answers. Goes to all nodes. @throws HubError for a message that is too large */
  send(method: string, ...parameters: unknown[]): void
}

export interface Caller extends Target {
  /** Asks the client and resolves with its answer. @throws HubError with the client's words, or when it goes */
  invoke(method: string, ...parameters: unknown[]): Promise<unknown>
}

/** What a method knows of its caller. */
export interface HubContext {
  readonly connectionId: string
  readonly user: HubUser | null
  readonly transport: TransportName
  /** Of the request that brought the connection. */
  readonly request: RequestFacts
  readonly caller: Caller
  /** Aborted when the connection ends; in a stream method also when the client cancels. */
  readonly signal: AbortSignal
  join(group: string): Promise<void>
  leave(group: string): Promise<void>
  /** Ends the connection; the client stays away. */
  abort(): void
}

/** Thrown in a method: its message reaches the client. Of other errors clients learn nothing. */
export class HubError extends Error {
  override readonly name = 'HubException'
}

export type HubMethod = (context: HubContext, ...parameters: unknown[]) => unknown
export type HubStream = (
  context: HubContext,
  ...parameters: unknown[]
) => AsyncIterable<unknown> | Iterable<unknown>

/** Parameters behind the sent ones: the streams that the client uploads, as async iterables. */
export interface UploadMethod {
  readonly uploads: number
  readonly run: HubMethod
}

export interface HubDefinition {
  /** Called in any case of letters. A method must be given as many arguments as it has parameters. */
  readonly methods: Readonly<Record<string, HubMethod | UploadMethod>>
  /** What they give is sent item by item. */
  readonly streams?: Readonly<Record<string, HubStream>>
  /** An error refuses the connection. */
  readonly onConnected?: (context: HubContext) => unknown
  readonly onDisconnected?: (context: HubContext, error: Error | undefined) => unknown
}

/** A method as it is called. */
export type FoundMethod =
  | { readonly kind: 'method'; readonly run: HubMethod; readonly uploads: number }
  | { readonly kind: 'stream'; readonly run: HubStream }

export type MethodTable = ReadonlyMap<string, FoundMethod>

/** Only what the definition itself names can be called: not what every object inherits. */
export function createMethodTable({ methods, streams = {} }: HubDefinition): MethodTable {
  const table = new Map<string, FoundMethod>()
  for (const [name, method] of Object.entries(methods)) {
    const found = typeof method === 'function' ? { run: method, uploads: 0 } : method
    table.set(name.toLowerCase(), { kind: 'method', ...found })
  }
  for (const [name, run] of Object.entries(streams))
    table.set(name.toLowerCase(), { kind: 'stream', run })
  return table
}

/** How many arguments the client must send. */
export function parametersOf(method: FoundMethod): number {
  const uploads = method.kind === 'method' ? method.uploads : 0
  return Math.max(0, method.run.length - 1 - uploads)
}
