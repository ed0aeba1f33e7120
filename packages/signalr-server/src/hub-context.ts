/** The recipients of a hub's messages, and the caller as methods see it. */
import type { HubUser } from './connections/connection.ts'
import type { RequestFacts } from './connections/request-facts.ts'
import type { AnySide, NameOf, ParametersOf, ResultOf } from './signatures.ts'
import type { TransportName } from './transports/transport.ts'

/** A set of recipients: everybody, groups, users or some connections. */
export interface Target<Client = AnySide> {
  /**
   * Sends an event on all nodes, without a response. Resolves when this node's clients have read enough of their
   * queued output (backpressure). It never rejects and need not be awaited.
   * @throws HubError for a message that is too large
   */
  send<Name extends NameOf<Client>>(
    method: Name,
    ...parameters: ParametersOf<Client, Name>
  ): PromiseLike<void>
}

export interface InvokeOptions {
  /** Response timeout in ms. */
  readonly timeoutMs?: number
  /** If it aborts, the call rejects with its reason. */
  readonly signal?: AbortSignal
}

export interface Caller<Client = AnySide> extends Target<Client> {
  /**
   * Calls a method of the client and resolves with its result.
   * @throws HubError with the client's error, when it disconnects, or after the hub's limit `answerMs`. A method's
   * call of its own caller has no timeout.
   */
  invoke<Name extends NameOf<Client>>(
    method: Name,
    ...parameters: ParametersOf<Client, Name>
  ): Promise<ResultOf<Client, Name>>
  /** Calls a method with its own timeout. @throws HubError after `timeoutMs`, or the reason of `signal` if it aborts */
  invokeWithin<Name extends NameOf<Client>>(
    options: InvokeOptions,
    method: Name,
    ...parameters: ParametersOf<Client, Name>
  ): Promise<ResultOf<Client, Name>>
}

/**
 * Sends to clients from any code of the server, on any node. A member of several of the named groups gets a message
 * once.
 */
export interface HubClients<Client = AnySide> {
  all(): Target<Client>
  allExcept(connectionIds: readonly string[]): Target<Client>
  group(name: string): Target<Client>
  groups(names: readonly string[]): Target<Client>
  groupExcept(name: string, connectionIds: readonly string[]): Target<Client>
  /** All connections of the user, except `exceptConnection`. */
  user(id: string, exceptConnection?: string): Target<Client>
  /** The user's connections on this node, for events that every node receives in another way. */
  userHere(id: string): Target<Client>
  users(ids: readonly string[]): Target<Client>
  /** One connection on any node. */
  client(connectionId: string): Caller<Client>
  clients(connectionIds: readonly string[]): Target<Client>
}

/** Changes group membership from outside a method, for connections on any node. */
export interface HubGroups {
  /** Returns false if there is no such connection. @throws HubError when no node responds within `answerMs` */
  add(connectionId: string, group: string): Promise<boolean>
  /** Returns false if there is no such connection. @throws HubError when no node responds within `answerMs` */
  remove(connectionId: string, group: string): Promise<boolean>
}

/** The caller of a method. */
export interface HubContext<Client = AnySide> {
  readonly connectionId: string
  readonly user: HubUser | null
  readonly transport: TransportName
  /** The HTTP request that opened the connection. */
  readonly request: RequestFacts
  readonly caller: Caller<Client>
  /** Everybody except the caller. */
  readonly others: Target<Client>
  /** Everybody in the group except the caller. */
  othersInGroup(group: string): Target<Client>
  readonly clients: HubClients<Client>
  /** Values that methods store until the connection closes. */
  readonly items: Map<unknown, unknown>
  /** Aborted when the connection ends; in a stream method also when the client cancels. */
  readonly signal: AbortSignal
  join(group: string): Promise<void>
  leave(group: string): Promise<void>
  /** Ends the connection. The client doesn't reconnect. */
  abort(): void
}
