/** Runs one call: checks and filters, the method or stream, and its completion. */
import { HubError, type MethodEntry, type HubCall, type Policy } from '../hub.ts'
import type { HubContext } from '../hub-context.ts'
import type { Connection } from '../connections/connection.ts'
import type { ConnectionContext } from '../context.ts'
import { COMPLETION, STREAM_ITEM, type HubMessage } from '../protocol/messages.ts'
import type { CallTold, Signals } from '../signals.ts'
import {
  describeError,
  unauthorizedIn,
  unexpectedIn,
  WHILE_STREAMING,
  type Call,
} from './call-errors.ts'
import { judgeArguments } from './standard-schema.ts'
import { pumpStream } from './stream.ts'

/** Shared by all calls of a hub. */
export interface CallRules {
  /** Sends type and message of errors to the client. */
  readonly detailedErrors: boolean
  readonly authorize: Policy | undefined
  /** The combined filters, or null. */
  readonly filter: ((call: HubCall, run: () => unknown) => Promise<unknown>) | null
  readonly signals: Signals
  readonly onFault: (error: unknown, where: string) => void
}

/** The calling client. */
export interface CallPeer {
  readonly context: ConnectionContext
  readonly connection: Pick<Connection, 'admitCall'>
  send(message: HubMessage): void
  /** Resolves when the client has consumed enough of the output. */
  drained(): Promise<void>
  close(goodbye: { error?: string }, cause: Error): void
}

/** Internal only; the client is told that it is unauthorized. */
class UnauthorizedError extends HubError {}

/** A running call. Methods return a promise if the call is not complete; it never rejects. */
export class RunningCall {
  readonly #rules: CallRules
  readonly #peer: CallPeer
  readonly #call: Call
  readonly #method: MethodEntry
  readonly #began: number

  constructor(rules: CallRules, peer: CallPeer, call: Call, method: MethodEntry) {
    this.#rules = rules
    this.#peer = peer
    this.#call = call
    this.#method = method
    this.#began = rules.signals.times ? performance.now() : 0
  }

  /** Runs a method, synchronously if nothing requires a wait. */
  invoke(uploads: readonly unknown[]): Promise<void> | undefined {
    const { context } = this.#peer
    try {
      const result = this.#isBare()
        ? this.#method.run(context, ...this.#call.arguments, ...uploads)
        : this.#pass(context, uploads)
      if (isThenable(result)) return this.#await(result)
      this.#complete(result)
    } catch (error) {
      this.#fail(error)
    }
    return undefined
  }

  async #await(result: PromiseLike<unknown>): Promise<void> {
    try {
      this.#complete(await result)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Runs a stream until it ends or is canceled. */
  async stream(uploads: readonly unknown[], canceled: AbortSignal): Promise<void> {
    const peer = this.#peer
    const id = this.#call.invocationId ?? ''
    const own = peer.context.withSignal(canceled)
    let what = unexpectedIn(this.#call.target)
    try {
      const source = (await this.#pass(own, uploads)) as AsyncIterable<unknown> | Iterable<unknown>
      what = WHILE_STREAMING
      await pumpStream(
        () => source,
        canceled,
        async (item) => {
          peer.send({ type: STREAM_ITEM, invocationId: id, item })
          await peer.drained()
        },
      )
      this.#complete(undefined)
    } catch (error) {
      this.#fail(error, what)
    }
  }

  /** Sends the client the reason for a refusal. Calls without an id get no response. */
  static refuse(peer: CallPeer, { invocationId, target }: Call, error: string): void {
    if (invocationId === undefined) return
    try {
      peer.send({ type: COMPLETION, invocationId, error })
    } catch {
      // The message itself may be too large.
      peer.send({ type: COMPLETION, invocationId, error: unexpectedIn(target) })
    }
  }

  /** True if there are no filters, policies, schemas or signals. */
  #isBare(): boolean {
    const { authorize, filter, signals } = this.#rules
    const { schemas, authorize: own } = this.#method
    return (
      schemas === null &&
      own === null &&
      authorize === undefined &&
      filter === null &&
      !signals.traces
    )
  }

  /** Passes schemas, policies and filters before the method. */
  async #pass(context: HubContext, uploads: readonly unknown[]): Promise<unknown> {
    const { schemas, name: method, kind, authorize } = this.#method
    const sent = this.#call.arguments
    const given = schemas === null ? sent : await judgeArguments(schemas, sent)
    const call: HubCall = { context, method, kind, arguments: given }
    for (const policy of [this.#rules.authorize, authorize])
      if (policy !== null && policy !== undefined && !(await policy(call)))
        throw new UnauthorizedError()
    const { filter, signals } = this.#rules
    const run = () => this.#method.run(context, ...given, ...uploads)
    const within = async () => (filter === null ? run() : filter(call, run))
    return signals.traces ? signals.trace(call, within) : within()
  }

  #complete(result: unknown): void {
    const { invocationId } = this.#call
    if (invocationId !== undefined) this.#peer.send({ type: COMPLETION, invocationId, result })
    this.#tell('answered')
  }

  #fail(error: unknown, what = unexpectedIn(this.#call.target)): void {
    const { target } = this.#call
    const isExpected = error instanceof HubError
    if (!isExpected) this.#rules.onFault(error, target)
    const words =
      error instanceof UnauthorizedError
        ? unauthorizedIn(target)
        : describeError(what, error, this.#rules.detailedErrors)
    RunningCall.refuse(this.#peer, this.#call, words)
    this.#tell(isExpected ? 'refused' : 'failed')
  }

  #tell(outcome: CallTold['outcome']): void {
    const { signals } = this.#rules
    if (!signals.times) return
    const { name: method, kind } = this.#method
    const seconds = this.#began === 0 ? 0 : (performance.now() - this.#began) / 1000
    signals.called({ method, kind, seconds, outcome })
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  )
}
