/**
 * Provides methods with information about their caller. There is one per connection, so its memory use matters.
 */
import type { HubConnection } from './hub-connection.ts'
import type { Caller, HubClients, HubContext, InvokeOptions, Target } from './hub-context.ts'

/** Shared by all contexts of a hub. */
export interface ContextNeeds {
  readonly clients: HubClients
  readonly join: (connection: HubConnection, group: string) => Promise<void>
  readonly leave: (connection: HubConnection, group: string) => void
}

export class ConnectionContext implements HubContext {
  readonly #connection: HubConnection
  readonly #needs: ContextNeeds
  readonly #signal: AbortSignal | null

  constructor(connection: HubConnection, needs: ContextNeeds, signal: AbortSignal | null = null) {
    this.#connection = connection
    this.#needs = needs
    this.#signal = signal
  }

  /** The same connection with another abort signal. */
  withSignal(signal: AbortSignal): ConnectionContext {
    return new ConnectionContext(this.#connection, this.#needs, signal)
  }

  get connectionId() {
    return this.#connection.connection.id
  }

  get user() {
    return this.#connection.connection.user
  }

  get transport() {
    return this.#connection.connection.transportName ?? 'WebSockets'
  }

  get request() {
    return this.#connection.connection.request
  }

  get signal() {
    return this.#signal ?? this.#connection.connection.ended
  }

  get items() {
    return this.#connection.items
  }

  get clients() {
    return this.#needs.clients
  }

  get caller(): Caller {
    return new OwnCaller(this.#connection)
  }

  get others(): Target {
    return this.#needs.clients.allExcept([this.connectionId])
  }

  othersInGroup(group: string): Target {
    return this.#needs.clients.groupExcept(group, [this.connectionId])
  }

  join(group: string): Promise<void> {
    return this.#needs.join(this.#connection, group)
  }

  leave(group: string): Promise<void> {
    this.#needs.leave(this.#connection, group)
    return Promise.resolve()
  }

  abort(): void {
    this.#connection.close()
  }
}

/** Calls a client whose connection is on this node. */
class OwnCaller implements Caller {
  readonly #connection: HubConnection

  constructor(connection: HubConnection) {
    this.#connection = connection
  }

  send(target: string, ...parameters: unknown[]): PromiseLike<void> {
    this.#connection.send({ type: 1, target, arguments: parameters })
    return this.#connection.drained()
  }

  invoke(target: string, ...parameters: unknown[]): Promise<unknown> {
    return this.#connection.invoke(target, parameters)
  }

  invokeWithin(options: InvokeOptions, target: string, ...parameters: unknown[]): Promise<unknown> {
    return this.#connection.invoke(target, parameters, options)
  }
}
