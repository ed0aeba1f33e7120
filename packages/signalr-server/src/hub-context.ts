/** Whom a hub speaks to, and what a method knows of its caller. */
import type { HubUser } from './connections/connection.ts'
import type { RequestFacts } from './connections/request-facts.ts'
import type { AnySide, NameOf, ParametersOf, ResultOf } from './signatures.ts'
import type { TransportName } from './transports/transport.ts'

/** Whom one speaks to: everybody, groups, users, some connections. */
export interface Target<Client = AnySide> {
  /**
   * An event; nobody answers. Goes to all nodes. Who waits for what it gives learns when the clients of this node have
   * taken enough that more may be sent; it never rejects, and need not be waited for. @throws HubError for a message
   * that is too large
   */
  send<Name extends NameOf<Client>>(
    method: Name,
    ...parameters: ParametersOf<Client, Name>
  ): PromiseLike<void>
}

export interface InvokeOptions {
  /** Milliseconds for the answer. */
  readonly timeoutMs?: number
  /** When it aborts the wait ends with its reason. */
  readonly signal?: AbortSignal
}

export interface Caller<Client = AnySide> extends Target<Client> {
  /**
   * Asks the client and resolves with its answer. @throws HubError with the client's words, when it goes, or when
   * `answerMs` have passed; a method that asks its own caller waits as long as it is there
   */
  invoke<Name extends NameOf<Client>>(
    method: Name,
    ...parameters: ParametersOf<Client, Name>
  ): Promise<ResultOf<Client, Name>>
  /** The same with a limit of its own. @throws HubError also after `timeoutMs`, and what `signal` aborts with */
  invokeWithin<Name extends NameOf<Client>>(
    options: InvokeOptions,
    method: Name,
    ...parameters: ParametersOf<Client, Name>
  ): Promise<ResultOf<Client, Name>>
}

/** What the server says to clients, from anywhere. Who is in several of the named groups gets a message once. */
export interface HubClients<Client = AnySide> {
  all(): Target<Client>
  allExcept(connectionIds: readonly string[]): Target<Client>
  group(name: string): Target<Client>
  groups(names: readonly string[]): Target<Client>
  groupExcept(name: string, connectionIds: readonly string[]): Target<Client>
  /** On all their connections, perhaps but one. */
  user(id: string, exceptConnection?: string): Target<Client>
  /** On those of their connections that this node holds: for what every node hears of by other ways. */
  userHere(id: string): Target<Client>
  users(ids: readonly string[]): Target<Client>
  /** One connection, on whichever node. */
  client(connectionId: string): Caller<Client>
  clients(connectionIds: readonly string[]): Target<Client>
}

/** Membership from outside a method, on whichever node the connection is. */
export interface HubGroups {
  /** False when there is no such connection. @throws HubError when no node says so within `answerMs` */
  add(connectionId: string, group: string): Promise<boolean>
  /** The same. */
  remove(connectionId: string, group: string): Promise<boolean>
}

/** What a method knows of its caller. */
export interface HubContext<Client = AnySide> {
  readonly connectionId: string
  readonly user: HubUser | null
  readonly transport: TransportName
  /** Of the request that brought the connection. */
  readonly request: RequestFacts
  readonly caller: Caller<Client>
  /** Everybody but the caller. */
  readonly others: Target<Client>
  /** Everybody in the group but the caller. */
  othersInGroup(group: string): Target<Client>
  readonly clients: HubClients<Client>
  /** For what methods remember of this connection, as long as it lasts. */
  readonly items: Map<unknown, unknown>
  /** Aborted when the connection ends; in a stream method also when the client cancels. */
  readonly signal: AbortSignal
  join(group: string): Promise<void>
  leave(group: string): Promise<void>
  /** Ends the connection; the client stays away. */
  abort(): void
}
