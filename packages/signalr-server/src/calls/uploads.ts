/** The streams that one client uploads, by their ids. Most clients upload nothing, so nothing is made before. */
import { HubError } from '../hub.ts'
import type { Completion } from '../protocol/messages.ts'
import { createUpload, type Upload } from './upload.ts'

export class Uploads {
  readonly #most: number
  readonly #onRoom: () => void
  #open: Map<string, Upload> | undefined
  /** What has come whole, for a method that has not ended, or not even begun. */
  #whole: Map<string, Upload> | undefined
  #full: Set<Upload> | undefined

  /** `most`: items of one that may wait. `onRoom`: one of those that were full has room again. */
  constructor(most: number, onRoom: () => void) {
    this.#most = most
    this.#onRoom = onRoom
  }

  /** None should be read on. */
  get isFull(): boolean {
    return this.#full !== undefined && this.#full.size > 0
  }

  /** Of the items that wait in those that are full. */
  get fullBytes(): number {
    let bytes = 0
    for (const upload of this.#full ?? []) bytes += upload.bytes()
    return bytes
  }

  open(ids: readonly string[]): void {
    this.#open ??= new Map()
    for (const id of ids) {
      if (this.#open.has(id)) continue
      const upload = createUpload(this.#most, () => {
        if (!upload.isFull() && this.#full?.delete(upload) === true) this.#onRoom()
      })
      this.#open.set(id, upload)
    }
  }

  of(ids: readonly string[]): (Upload | undefined)[] {
    return ids.map((id) => this.#open?.get(id) ?? this.#whole?.get(id))
  }

  push(id: string, item: unknown, bytes: number): void {
    const upload = this.#open?.get(id)
    upload?.push(item, bytes)
    if (upload?.isFull() === true) (this.#full ??= new Set()).add(upload)
  }

  /** True when the completion was that of an upload. */
  complete({ invocationId, error }: Completion): boolean {
    const upload = this.#open?.get(invocationId)
    if (upload === undefined) return false
    this.#open?.delete(invocationId)
    ;(this.#whole ??= new Map()).set(invocationId, upload)
    upload.end(error === undefined ? undefined : new HubError(error))
    return true
  }

  /** The method that takes them has ended. */
  close(ids: readonly string[] = []): void {
    for (const upload of this.of(ids)) upload?.end()
    for (const id of ids) {
      this.#open?.delete(id)
      this.#whole?.delete(id)
    }
  }

  /** The client has gone. */
  endAll(): void {
    this.#full?.clear()
    for (const upload of this.#open?.values() ?? [])
      upload.end(new HubError('The client has gone.'))
  }
}
