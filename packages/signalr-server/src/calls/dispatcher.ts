/** Runs a client's calls: invocations in order with limited concurrency, streams and uploads separately. */
import { createDeferred, type Deferred } from '../deferred.ts'
import { HubError, type MethodEntry, type MethodTable } from '../hub.ts'
import type { InvokeOptions } from '../hub-context.ts'
import type { Limits } from '../limits.ts'
import {
  CANCEL_INVOCATION,
  COMPLETION,
  INVOCATION,
  STREAM_INVOCATION,
  STREAM_ITEM,
  type HubMessage,
} from '../protocol/messages.ts'
import { DroppedError } from '../signals.ts'
import { describeError, refuse, unexpectedIn, type Call } from './call-errors.ts'
import { Questions } from './questions.ts'
import { RunningCall, type CallPeer, type CallRules } from './run-call.ts'
import { Uploads } from './uploads.ts'

interface WaitingCall {
  readonly call: Call
  readonly bytes: number
}

/** Shared by all clients of a hub. */
export interface DispatcherRules extends CallRules {
  readonly methods: MethodTable
  readonly limits: Limits
  /** Concurrent calls of one client. */
  readonly parallel: number
}

/** Rejects a pending client result if the client sends more than may be queued. */
const FLOODED = 'The client sent too many calls before its answer.'
const GONE = 'The client has gone.'
/** Shared by all clients without waiting calls. Nothing may be added to it. */
const NONE: WaitingCall[] = []
const TOO_MANY = 'Too many streams are open on this connection.'

export class Dispatcher {
  readonly #rules: DispatcherRules
  readonly #peer: CallPeer
  // Created on demand, because most clients neither upload nor return results.
  #uploads: Uploads | undefined
  #questions: Questions | undefined
  #waiting: WaitingCall[] = NONE
  #waitingBytes = 0
  #running = 0
  #hasStarted = false
  /** Reading is paused while this is set. */
  #gate: Deferred<void> | undefined
  #streams: Map<string, AbortController> | undefined
  /** Running streams, and methods with uploads, which run outside the queue. */
  #outsideQueue = 0
  /** Consecutive calls over the rate limit. */
  #refusedCalls = 0
  #isStopped = false
  #isFinishing = false
  #idle: Deferred<void> | undefined

  constructor(rules: DispatcherRules, peer: CallPeer) {
    this.#rules = rules
    this.#peer = peer
  }

  /** Number of queued calls. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Allows methods to run. Results from the client are accepted before. */
  start(): void {
    this.#hasStarted = true
    this.#work()
  }

  /** `bytes` is the size of the message on the wire. Returns a promise if reading must pause until it settles. */
  dispatch(message: HubMessage, bytes: number): Promise<void> | undefined {
    switch (message.type) {
      case INVOCATION:
      case STREAM_INVOCATION:
        this.#enqueue(message, bytes)
        break
      case STREAM_ITEM:
        this.#uploads?.push(message.invocationId, message.item, bytes)
        break
      case COMPLETION:
        if (this.#uploads?.complete(message) !== true) this.#questions?.complete(message)
        break
      case CANCEL_INVOCATION:
        this.#streams?.get(message.invocationId)?.abort()
        break
      default:
    }
    return this.#hold()
  }

  /** Calls a method of the client. */
  ask(
    target: string,
    parameters: readonly unknown[],
    options: InvokeOptions = {},
  ): Promise<unknown> {
    if (this.#isStopped) return Promise.reject(new HubError(GONE))
    const { signal } = options
    if (signal?.aborted === true) return Promise.reject(signal.reason)
    const questions = (this.#questions ??= new Questions())
    const { id, answer } = questions.open(options)
    try {
      this.#peer.send({ type: INVOCATION, invocationId: id, target, arguments: parameters })
    } catch (error) {
      questions.reject(id, error)
      return answer
    }
    if (this.#isFlooded()) questions.reject(id, new HubError(FLOODED))
    else this.#letRead()
    return answer
  }

  /** Starts no more calls, and resolves when the running ones have completed. */
  finish(): Promise<void> {
    this.#isFinishing = true
    this.#clearWaiting()
    this.#letRead()
    if (this.#hasStarted && this.#running === 0) return Promise.resolve()
    this.#idle ??= createDeferred()
    return this.#idle.promise
  }

  /** Called when the connection has ended. */
  stop(): void {
    this.#isStopped = true
    this.#clearWaiting()
    this.#uploads?.endAll()
    this.#letRead()
    for (const stream of this.#streams?.values() ?? []) stream.abort()
    this.#questions?.rejectAll(GONE)
  }

  #enqueue(call: Call, bytes: number): void {
    if (this.#isFinishing || this.#isStopped || this.#isTooOften(call)) return
    const { streamIds } = call
    // Uploaded items may arrive immediately, before the call runs.
    if (streamIds !== undefined && this.#refuse(call, this.#find(call)) === null) {
      this.#uploads ??= new Uploads(this.#rules.limits.queuedItems, () => this.#letRead())
      this.#uploads.open(streamIds)
    }
    if (this.#hasRoom && this.#waiting.length === 0) {
      this.#begin(call)
      return
    }
    if (this.#waiting === NONE) this.#waiting = []
    this.#waiting.push({ call, bytes })
    this.#waitingBytes += bytes
  }

  /** Refuses a call over the rate limit, and ends the connection if the client continues. */
  #isTooOften(call: Call): boolean {
    const wait = this.#peer.connection.admitCall()
    this.#refusedCalls = wait === null ? 0 : this.#refusedCalls + 1
    if (wait === null) return false
    const error = new HubError(wait.text)
    if (this.#refusedCalls > this.#rules.limits.refusedCalls)
      this.#peer.close({ error: wait.text }, new DroppedError('protocol', wait.text))
    else
      RunningCall.refuse(this.#peer, call, describeError(unexpectedIn(call.target), error, false))
    return true
  }

  #find({ target }: Call) {
    return this.#rules.methods.get(target.toLowerCase())
  }

  #refuse(call: Call, method: MethodEntry | undefined): string | null {
    return refuse(call, method, this.#rules.detailedErrors)
  }

  #clearWaiting(): void {
    this.#waiting = NONE
    this.#waitingBytes = 0
  }

  /**
   * Pauses reading while the queue is full, but not while a client result is pending, because it arrives after the
   * queued messages.
   */
  #hold(): Promise<void> | undefined {
    const { queuedInvocations } = this.#rules.limits
    if (this.#waiting.length <= queuedInvocations && !this.#isFull) return undefined
    if (this.#questions !== undefined && this.#questions.size > 0) {
      if (!this.#isFlooded()) return undefined
      this.#questions.rejectAll(FLOODED)
    }
    this.#gate ??= createDeferred()
    return this.#gate.promise
  }

  /** Even while a client result is pending, the queue has a limit. */
  #isFlooded(): boolean {
    return this.#waitingBytes + (this.#uploads?.fullBytes ?? 0) > this.#rules.limits.queuedBytes
  }

  #letRead(): void {
    if (this.#gate === undefined) return
    const { queuedInvocations } = this.#rules.limits
    const hasRoom = this.#waiting.length <= queuedInvocations / 2 && !this.#isFull
    const awaits = this.#questions !== undefined && this.#questions.size > 0
    if (!hasRoom && !awaits) return
    this.#gate.resolve()
    this.#gate = undefined
  }

  /** Starts queued calls as long as there is capacity. */
  #work(): void {
    while (this.#hasRoom) {
      const next = this.#waiting.shift()
      if (next === undefined) break
      this.#waitingBytes -= next.bytes
      this.#letRead()
      this.#begin(next.call)
    }
    if (this.#hasStarted && this.#running === 0) this.#idle?.resolve()
  }

  /** True if an upload has too many unread items. */
  get #isFull(): boolean {
    return this.#uploads?.isFull === true
  }

  get #hasRoom(): boolean {
    return this.#hasStarted && this.#running < this.#rules.parallel
  }

  #begin(call: Call): void {
    this.#running += 1
    const answered = this.#run(call)
    if (answered === undefined) this.#running -= 1
    else
      void answered.then(() => {
        this.#running -= 1
        this.#work()
      })
  }

  /** Returns a promise if the following messages must wait. */
  #run(call: Call): Promise<void> | undefined {
    const method = this.#find(call)
    const refusal = this.#refuse(call, method)
    if (method === undefined || refusal !== null) {
      RunningCall.refuse(this.#peer, call, refusal ?? '')
      return undefined
    }
    const { streamIds = [] } = call
    const runsOutsideQueue = method.kind === 'stream' || streamIds.length > 0
    const id = call.invocationId ?? ''
    const isTaken = method.kind === 'stream' && this.#streams?.has(id) === true
    if (isTaken || (runsOutsideQueue && this.#outsideQueue >= this.#rules.limits.openStreams)) {
      this.#uploads?.close(streamIds)
      const words = isTaken ? `Invocation ID '${id}' is already in use.` : TOO_MANY
      RunningCall.refuse(this.#peer, call, words)
      return undefined
    }
    const running = new RunningCall(this.#rules, this.#peer, call, method)
    if (!runsOutsideQueue) return running.invoke([])
    const uploads = this.#uploads?.of(streamIds) ?? []
    this.#outsideQueue += 1
    const ended =
      method.kind === 'stream' ? this.#stream(running, id, uploads) : running.invoke(uploads)
    void Promise.resolve(ended).then(() => {
      this.#outsideQueue -= 1
      this.#uploads?.close(streamIds)
    })
    // Doesn't block the queue, because the uploaded items arrive in later messages.
    return undefined
  }

  #stream(running: RunningCall, id: string, uploads: readonly unknown[]): Promise<void> {
    const canceling = new AbortController()
    this.#streams ??= new Map()
    this.#streams.set(id, canceling)
    return running.stream(uploads, canceling.signal).finally(() => this.#streams?.delete(id))
  }
}
