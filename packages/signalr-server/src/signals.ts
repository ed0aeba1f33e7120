/**
 * Reports events of a hub to observers: functions passed to the server, and channels of
 * `node:diagnostics_channel`, to which anybody in the process may subscribe. Without observers there is no cost.
 */
import { channel, tracingChannel } from 'node:diagnostics_channel'
import type { HubCall } from './hub.ts'
import type { TransportName } from './transports/transport.ts'

/** Why a connection ended that neither side closed. */
export type DropReason =
  /** Reads or acknowledges too slowly. */
  | 'slow'
  /** Was silent for too long, or did not resume. */
  | 'silent'
  /** Sent invalid data. */
  | 'protocol'

/** The server ended a connection because of the client's fault. */
export class DroppedError extends Error {
  override readonly name = 'DroppedError'
  readonly reason: DropReason
  constructor(reason: DropReason, message: string) {
    super(message)
    this.reason = reason
  }
}

export interface ConnectionTold {
  readonly connectionId: string
  readonly transport: TransportName
  readonly protocol: string
}

export interface EndTold extends ConnectionTold {
  readonly seconds: number
  readonly error: Error | undefined
  readonly dropped: DropReason | null
}

export interface CallTold {
  /** Spelled as in the definition, so that the values are few and suit a metric's label. */
  readonly method: string
  readonly kind: HubCall['kind']
  /** From the start to the response, or for a stream to its end. */
  readonly seconds: number
  /** `refused`: by arguments, a policy or a `HubError`; `failed`: by any other error. */
  readonly outcome: 'answered' | 'refused' | 'failed'
}

/** All functions are optional. Their errors are reported as faults and don't affect connections. */
export interface HubObserver {
  /** Called after the handshake. */
  readonly connected?: (connection: ConnectionTold) => void
  readonly disconnected?: (connection: EndTold) => void
  /** Called for each message except pings and other protocol messages. `bytes` is its size on the wire. */
  readonly message?: (direction: 'in' | 'out', bytes: number) => void
  readonly called?: (call: CallTold) => void
}

const connectedChannel = channel('signalr-hub-server:connected')
const disconnectedChannel = channel('signalr-hub-server:disconnected')
const calledChannel = channel('signalr-hub-server:called')
const callTracing = tracingChannel<object>('signalr-hub-server:call')

export class Signals {
  readonly #observer: HubObserver
  readonly #onFault: (error: unknown, where: string) => void

  constructor(observer: HubObserver | undefined, onFault: (error: unknown, where: string) => void) {
    this.#observer = observer ?? {}
    this.#onFault = onFault
  }

  connected(told: ConnectionTold): void {
    if (connectedChannel.hasSubscribers) connectedChannel.publish(told)
    this.#tell(this.#observer.connected, told)
  }

  disconnected(told: EndTold): void {
    if (disconnectedChannel.hasSubscribers) disconnectedChannel.publish(told)
    this.#tell(this.#observer.disconnected, told)
  }

  message(direction: 'in' | 'out', bytes: number): void {
    const { message } = this.#observer
    if (message === undefined) return
    try {
      message(direction, bytes)
    } catch (error) {
      this.#onFault(error, 'observer')
    }
  }

  /** True if somebody measures durations of calls. */
  get times(): boolean {
    return this.#observer.called !== undefined || calledChannel.hasSubscribers
  }

  called(told: CallTold): void {
    if (calledChannel.hasSubscribers) calledChannel.publish(told)
    this.#tell(this.#observer.called, told)
  }

  /** Runs the call within a tracing channel if it has subscribers. */
  trace(call: HubCall, run: () => Promise<unknown>): Promise<unknown> {
    return callTracing.tracePromise(run, {
      method: call.method,
      kind: call.kind,
      connectionId: call.context.connectionId,
    })
  }

  get traces(): boolean {
    return (
      callTracing.start.hasSubscribers ||
      callTracing.asyncEnd.hasSubscribers ||
      callTracing.error.hasSubscribers
    )
  }

  #tell<Told>(listener: ((told: Told) => void) | undefined, told: Told): void {
    try {
      listener?.(told)
    } catch (error) {
      this.#onFault(error, 'observer')
    }
  }
}
