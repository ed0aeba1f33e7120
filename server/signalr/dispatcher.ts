/** Runs what a client asks for: invocations one at a time and in order, streams and uploads beside them. */
import {
  COMPLETION,
  INVOCATION,
  STREAM_INVOCATION,
  STREAM_ITEM,
  type Completion,
  type HubMessage,
  type Invocation,
  type StreamInvocation,
} from '#server/signalr/protocol/messages.ts'
import {
  HubError,
  parametersOf,
  type FoundMethod,
  type HubContext,
  type MethodTable,
} from '#server/signalr/hub.ts'
import type { Limits } from '#server/signalr/limits.ts'
import { pumpStream } from '#server/signalr/stream.ts'
import { createUpload, type Upload } from '#server/signalr/upload.ts'

type Call = Invocation | StreamInvocation

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

/** `target`: the method's name in small letters. It must call `run` and give what that gives. */
export type Around = (target: string, run: () => unknown) => unknown

export class Dispatcher {
  readonly #options: DispatcherOptions
  #waiting: Call[] = []
  #isBusy = false
  #room: PromiseWithResolvers<void> | undefined
  readonly #streams = new Map<string, AbortController>()
  readonly #uploads = new Map<string, Upload>()
  readonly #asked = new Map<string, PromiseWithResolvers<unknown>>()
  #askedCount = 0
  #isStopped = false
  #isFinishing = false
  #idle: PromiseWithResolvers<void> | undefined

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  /** A promise when no more should be read until it settles. */
  dispatch(message: HubMessage): Promise<void> | undefined {
    switch (message.type) {
      case INVOCATION:
      case STREAM_INVOCATION:
        return this.#enqueue(message)
      case STREAM_ITEM:
        return this.#uploads.get(message.invocationId)?.push(message.item)
      case COMPLETION:
        this.#complete(message)
        return undefined
      default:
        if (message.type === 5) this.#streams.get(message.invocationId)?.abort()
        return undefined
    }
  }

  /** Asks the client. */
  ask(target: string, parameters: readonly unknown[]): Promise<unknown> {
    if (this.#isStopped) return Promise.reject(new HubError('The client has gone.'))
    this.#askedCount += 1
    const invocationId = `s${this.#askedCount}`
    const asked = Promise.withResolvers<unknown>()
    this.#asked.set(invocationId, asked)
    this.#options.send({ type: INVOCATION, invocationId, target, arguments: parameters })
    return asked.promise
  }

  /** Begins nothing more; resolves when what runs has been answered. */
  finish(): Promise<void> {
    this.#isFinishing = true
    this.#waiting = []
    if (!this.#isBusy) return Promise.resolve()
    this.#idle ??= Promise.withResolvers()
    return this.#idle.promise
  }

  /** The connection has ended. */
  stop(): void {
    this.#isStopped = true
    this.#waiting = []
    this.#room?.resolve()
    for (const stream of this.#streams.values()) stream.abort()
    for (const upload of this.#uploads.values()) upload.end(new HubError('The client has gone.'))
    for (const asked of this.#asked.values()) asked.reject(new HubError('The client has gone.'))
    this.#asked.clear()
  }

  #enqueue(call: Call): Promise<void> | undefined {
    if (this.#isFinishing) return undefined
    this.#waiting.push(call)
    // What it uploads may follow at once, before its turn has come.
    for (const id of call.streamIds ?? [])
      if (!this.#uploads.has(id))
        this.#uploads.set(id, createUpload(this.#options.limits.queuedItems))
    if (!this.#isBusy) void this.#work()
    const most = this.#options.limits.queuedInvocations
    if (this.#waiting.length <= most) return undefined
    this.#room ??= Promise.withResolvers()
    return this.#room.promise
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    for (;;) {
      const call = this.#waiting.shift()
      if (this.#waiting.length <= this.#options.limits.queuedInvocations / 2) {
        this.#room?.resolve()
        this.#room = undefined
      }
      if (call === undefined) break
      await this.#run(call)
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
    const unexpected = `An unexpected error occurred invoking '${target}' on the server.`
    const isShown = error instanceof HubError || this.#options.detailedErrors
    if (!(error instanceof HubError)) this.#options.onFault(error, target)
    return isShown && error instanceof Error
      ? `${unexpected} ${error.name}: ${error.message}`
      : unexpected
  }

  /** Nobody waits for an answer to a call without an id. */
  #fail(call: Call, error: string): void {
    if (call.invocationId === undefined || this.#isStopped) return
    this.#options.send({ type: COMPLETION, invocationId: call.invocationId, error })
  }
}

/** Why a call can't be made, or null. */
function refuse(call: Call, method: FoundMethod | undefined): string | null {
  const { target } = call
  if (method === undefined) return `Unknown hub method '${target}'`
  if (method.kind === 'stream' && call.type === INVOCATION)
    return `The client attempted to invoke the streaming '${target}' method with a non-streaming invocation.`
  if (method.kind === 'method' && call.type === STREAM_INVOCATION)
    return `The client attempted to invoke the non-streaming '${target}' method with a streaming invocation.`
  const uploads = method.kind === 'method' ? method.uploads : 0
  const given = call.streamIds?.length ?? 0
  if (call.arguments.length !== parametersOf(method) || given !== uploads)
    return `Failed to invoke '${target}' due to an error on the server.`
  return null
}
