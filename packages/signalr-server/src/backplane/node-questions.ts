/** Requests from this node to others, numbered, with responses over a separate channel. */
import { createDeferred, type Deferred } from '../deferred.ts'
import { HubError } from '../hub.ts'
import type { InvokeOptions } from '../hub-context.ts'
import type { Backplane } from './backplane.ts'
import type { Order, OrderCodec, Reply } from './orders.ts'

type Question = Order & { kind: 'ask' | 'join' | 'leave' }

export class NodeQuestions {
  readonly #backplane: Backplane
  readonly #prefix: string
  readonly #codec: OrderCodec
  readonly #subscribe: (channel: string, listener: (bytes: Uint8Array) => void) => Promise<void>
  readonly #asked = new Map<number, Deferred<unknown>>()
  #count = 0
  #listening: Promise<void> | undefined

  constructor(
    needs: { backplane: Backplane; prefix: string; codec: OrderCodec },
    subscribe: (channel: string, listener: (bytes: Uint8Array) => void) => Promise<void>,
  ) {
    this.#backplane = needs.backplane
    this.#prefix = needs.prefix
    this.#codec = needs.codec
    this.#subscribe = subscribe
  }

  /** The node that holds the connection responds. @throws HubError when none does in time */
  async ask(
    publish: (node: string, number: number) => void,
    { timeoutMs, signal }: InvokeOptions,
  ): Promise<unknown> {
    signal?.throwIfAborted()
    const notFound = () => new HubError('The connection is not there.')
    const { node, address } = this.#backplane
    // There are no other nodes.
    if (address === null) throw notFound()
    this.#listening ??= this.#subscribe(channelOf(node), (bytes) => this.#hear(bytes))
    await this.#listening
    this.#count += 1
    const number = this.#count
    const asked = createDeferred<unknown>()
    this.#asked.set(number, asked)
    const timer = setTimeout(() => asked.reject(notFound()), timeoutMs)
    const cancel = () => asked.reject(signal?.reason)
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      publish(node, number)
      return await asked.promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
      this.#asked.delete(number)
    }
  }

  /** Responds to the node that asked. */
  async answer({ node, number }: Question, done: Promise<unknown>): Promise<void> {
    const reply: Reply = await done.then(
      (result) => ({ number, result }),
      (error: unknown) => ({ number, error: error instanceof Error ? error.message : 'failed' }),
    )
    this.#backplane.publish(this.#prefix + channelOf(node), this.#codec.encode(reply))
  }

  #hear(bytes: Uint8Array): void {
    // Written by `answer` of another node.
    const { number, result, error } = this.#codec.decode(bytes) as Reply
    const asked = this.#asked.get(number)
    if (error === undefined) asked?.resolve(result)
    else asked?.reject(new HubError(error))
  }
}

const channelOf = (node: string) => `node:${node}`
