/** Runs what a client asks for: invocations one at a time and in order, streams and uploads beside them. */
import { createDeferred, type Deferred } from './deferred.ts'
import {
  COMPLETION,
  INVOCATION,
  STREAM_INVOCATION,
  STREAM_ITEM,
  type Completion,
  type HubMessage,
} from './protocol/messages.ts'
import { describeError, refuse, unexpectedIn, type Call } from './call-errors.ts'
import { HubError, type FoundMethod, type HubContext, type MethodTable } from './hub.ts'
import type { Limits } from './limits.ts'
import { pumpStream } from './stream.ts'
import { createUpload, type Upload } from './upload.ts'

interface WaitingCall {
  readonly call: Call
  readonly bytes: number
}

export interface DispatcherOptions {
  readonly methods: MethodTable
  readonly context: HubContext
  readonly limits: Limits
  /** Errors reach the client with their type and words. Only for tests. */
  readonly detailedErrors: boolean
  readonly send: (message: HubMessage) => void
  /** Resolves when the client has taken enough of what was sent. */
  readonly drained: () => Promise<void>
  readonly onFault: (error: unknown, target: string) => void
  /** Runs each method that is called, streams left out; to measure it, say. */
  readonly around?: Around
}

/** What an answer is told whose client sends more than may wait. */
const FLOODED = 'The client sent too many calls before its answer.'

/** `target`: the method's name in small letters. It must call `run` and give what that gives. */
export type Around = (target: string, run: () => unknown) => unknown

export class Dispatcher {
  readonly #options: DispatcherOptions
  #waiting: WaitingCall[] = []
  #waitingBytes = 0
  /** Until `start`, too. */
  #isBusy = true
  /** Reading waits for it. */
  #gate: Deferred<void> | undefined
  readonly #streams = new Map<string, AbortController>()
  readonly #uploads = new Map<string, Upload>()
  readonly #fullUploads = new Set<Upload>()
  readonly #asked = new Map<string, Deferred<unknown>>()
  #askedCount = 0
  #isStopped = false
  #isFinishing = false
  #idle: Deferred<void> | undefined

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  /** Methods may run from now on; answers of the client are taken before, too. */
  start(): void {
    void this.#work()
  }

  /** `bytes`: of the message on the wire. A promise when no more should be read until it settles. */
  dispatch(message: HubMessage, bytes: number): Promise<void> | undefined {
    switch (message.type) {
      case INVOCATION:
      case STREAM_INVOCATION:
        this.#enqueue(message, bytes)
        break
      case STREAM_ITEM: {
        const upload = this.#uploads.get(message.invocationId)
        upload?.push(message.item, bytes)
        if (upload?.isFull() === true) this.#fullUploads.add(upload)
        break
      }
      case COMPLETION:
        this.#complete(message)
        break
      default:
        if (message.type === 5) this.#streams.get(message.invocationId)?.abort()
    }
    return this.#hold()
  }

  /** Asks the client. */
  ask(target: string, parameters: readonly unknown[]): Promise<unknown> {
    if (this.#isStopped) return Promise.reject(new HubError('The client has gone.'))
    this.#askedCount += 1
    const invocationId = `s${this.#askedCount}`
    const asked = createDeferred<unknown>()
    try {
      this.#options.send({ type: INVOCATION, invocationId, target, arguments: parameters })
    } catch (error) {
      asked.reject(error)
      return asked.promise
    }
    if (this.#isFlooded()) {
      asked.reject(new HubError(FLOODED))
      return asked.promise
    }
    this.#asked.set(invocationId, asked)
    this.#letRead()
    return asked.promise
  }

  /** Begins nothing more; resolves when what runs has been answered. */
  finish(): Promise<void> {
    this.#isFinishing = true
    this.#clearWaiting()
    this.#letRead()
    if (!this.#isBusy) return Promise.resolve()
    this.#idle ??= createDeferred()
    return this.#idle.promise
  }

  /** The connection has ended. */
  stop(): void {
    this.#isStopped = true
    this.#clearWaiting()
    this.#fullUploads.clear()
    this.#letRead()
    for (const stream of this.#streams.values()) stream.abort()
    for (const upload of this.#uploads.values()) upload.end(new HubError('The client has gone.'))
    for (const asked of this.#asked.values()) asked.reject(new HubError('The client has gone.'))
    this.#asked.clear()
  }

  #enqueue(call: Call, bytes: number): void {
    if (this.#isFinishing || this.#isStopped) return
    this.#waiting.push({ call, bytes })
    this.#waitingBytes += bytes
    // What it uploads may follow at once, before its turn has come.
    for (const id of call.streamIds ?? []) if (!this.#uploads.has(id)) this.#openUpload(id)
    if (!this.#isBusy) void this.#work()
  }

  #openUpload(id: string): void {
    const upload = createUpload(this.#options.limits.queuedItems, () => {
      if (upload.isFull() || !this.#fullUploads.delete(upload)) return
      this.#letRead()
    })
    this.#uploads.set(id, upload)
  }

  #clearWaiting(): void {
    this.#waiting = []
    this.#waitingBytes = 0
  }

  /** Stops the reading while too much waits, but not while an answer is awaited: it comes behind what waits. */
  #hold(): Promise<void> | undefined {
    const { queuedInvocations } = this.#options.limits
    if (this.#waiting.length <= queuedInvocations && this.#fullUploads.size === 0) return undefined
    if (this.#asked.size > 0) {
      if (!this.#isFlooded()) return undefined
      for (const asked of this.#asked.values()) asked.reject(new HubError(FLOODED))
      this.#asked.clear()
    }
    this.#gate ??= createDeferred()
    return this.#gate.promise
  }

  /** Even for an answer no more is taken in. */
  #isFlooded(): boolean {
    let bytes = this.#waitingBytes
    for (const upload of this.#fullUploads) bytes += upload.bytes()
    return bytes > this.#options.limits.queuedBytes
  }

  #letRead(): void {
    const { queuedInvocations } = this.#options.limits
    const hasRoom = this.#waiting.length <= queuedInvocations / 2 && this.#fullUploads.size === 0
    if (!hasRoom && this.#asked.size === 0) return
    this.#gate?.resolve()
    this.#gate = undefined
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    for (;;) {
      const next = this.#waiting.shift()
      if (next === undefined) break
      this.#waitingBytes -= next.bytes
      this.#letRead()
      await this.#run(next.call)
    }
    this.#isBusy = false
    this.#idle?.resolve()
  }

  async #run(call: Call): Promise<void> {
    const method = this.#options.methods.get(call.target.toLowerCase())
    const refusal = refuse(call, method)
    if (method === undefined || refusal !== null) {
      this.#closeUploads(call)
      this.#fail(call, refusal ?? '')
      return
    }
    if (method.kind === 'stream') {
      this.#stream(call, method)
      return
    }
    const uploads = (call.streamIds ?? []).map((id) => this.#uploads.get(id))
    const finished = this.#invoke(call, () =>
      method.run(this.#options.context, ...call.arguments, ...uploads),
    )
    // What feeds a method that takes uploads are messages behind it.
    if (uploads.length === 0) await finished
  }

  async #invoke(call: Call, run: () => unknown): Promise<void> {
    try {
      const { around } = this.#options
      const result = await (around === undefined ? run() : around(call.target.toLowerCase(), run))
      if (call.invocationId !== undefined && !this.#isStopped)
        this.#options.send({ type: COMPLETION, invocationId: call.invocationId, result })
    } catch (error) {
      this.#fail(call, this.#explain(call.target, error))
    } finally {
      this.#closeUploads(call)
    }
  }

  #stream(call: Call, method: FoundMethod & { kind: 'stream' }): void {
    const id = call.invocationId ?? ''
    if (this.#streams.has(id)) {
      this.#fail(call, `Invocation ID '${id}' is already in use.`)
      return
    }
    const canceling = new AbortController()
    this.#streams.set(id, canceling)
    const { context, send, drained } = this.#options
    void pumpStream(
      () => method.run({ ...context, signal: canceling.signal }, ...call.arguments),
      canceling.signal,
      async (item) => {
        send({ type: STREAM_ITEM, invocationId: id, item })
        await drained()
      },
    )
      .then(
        () => this.#isStopped || send({ type: COMPLETION, invocationId: id }),
        (error: unknown) => this.#fail(call, this.#explain(call.target, error)),
      )
      .finally(() => this.#streams.delete(id))
  }

  #complete(message: Completion): void {
    const { invocationId, error, result } = message
    const upload = this.#uploads.get(invocationId)
    if (upload !== undefined) {
      this.#uploads.delete(invocationId)
      upload.end(error === undefined ? undefined : new HubError(error))
      return
    }
    const asked = this.#asked.get(invocationId)
    this.#asked.delete(invocationId)
    if (error === undefined) asked?.resolve(result)
    else asked?.reject(new HubError(error))
  }

  #closeUploads(call: Call): void {
    for (const id of call.streamIds ?? []) {
      this.#uploads.get(id)?.end()
      this.#uploads.delete(id)
    }
  }

  #explain(target: string, error: unknown): string {
    if (!(error instanceof HubError)) this.#options.onFault(error, target)
    return describeError(unexpectedIn(target), error, this.#options.detailedErrors)
  }

  /** Nobody waits for an answer to a call without an id. */
  #fail(call: Call, error: string): void {
    const { invocationId } = call
    if (invocationId === undefined || this.#isStopped) return
    try {
      this.#options.send({ type: COMPLETION, invocationId, error })
    } catch {
      // Its words may be too many.
      this.#options.send({ type: COMPLETION, invocationId, error: unexpectedIn(call.target) })
    }
  }
}
