/** Pending client results of one client. */
import { createDeferred, type Deferred } from '../deferred.ts'
import { HubError } from '../hub.ts'
import type { InvokeOptions } from '../hub-context.ts'
import type { Completion } from '../protocol/messages.ts'

export class Questions {
  #open: Map<string, Deferred<unknown>> | undefined
  #count = 0

  get size(): number {
    return this.#open?.size ?? 0
  }

  /** The promise rejects with the reason that ends the wait. */
  open({ timeoutMs, signal }: InvokeOptions): { id: string; answer: Promise<unknown> } {
    this.#count += 1
    const id = `s${this.#count}`
    const asked = createDeferred<unknown>()
    ;(this.#open ??= new Map()).set(id, asked)
    if (timeoutMs === undefined && signal === undefined) return { id, answer: asked.promise }
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(
            () => this.reject(id, new HubError('The client did not answer in time.')),
            timeoutMs,
          )
    const cancel = () => this.reject(id, signal?.reason)
    signal?.addEventListener('abort', cancel, { once: true })
    const answer = asked.promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    })
    return { id, answer }
  }

  complete({ invocationId, error, result }: Completion): void {
    const asked = this.#open?.get(invocationId)
    this.#open?.delete(invocationId)
    if (error === undefined) asked?.resolve(result)
    else asked?.reject(new HubError(error))
  }

  reject(id: string, reason: unknown): void {
    this.#open?.get(id)?.reject(reason)
    this.#open?.delete(id)
  }

  rejectAll(words: string): void {
    for (const asked of this.#open?.values() ?? []) asked.reject(new HubError(words))
    this.#open?.clear()
  }
}
