/** The streams that one client uploads, by id. Created on demand, because most clients upload nothing. */
import { HubError } from '../hub.ts'
import type { Completion } from '../protocol/messages.ts'
import { createUpload, type Upload } from './upload.ts'

export class Uploads {
  readonly #most: number
  readonly #onRoom: () => void
  #open: Map<string, Upload> | undefined
  /** Complete uploads whose method is still running or has not started. */
  #whole: Map<string, Upload> | undefined
  #full: Set<Upload> | undefined

  /** `most` limits the queued items per upload. `onRoom` is called when a full one has room again. */
  constructor(most: number, onRoom: () => void) {
    this.#most = most
    this.#onRoom = onRoom
  }

  /** True if reading should pause. */
  get isFull(): boolean {
    return this.#full !== undefined && this.#full.size > 0
  }

  /** Size of the queued items in full uploads. */
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

  /** Returns true if the completion belonged to an upload. */
  complete({ invocationId, error }: Completion): boolean {
    const upload = this.#open?.get(invocationId)
    if (upload === undefined) return false
    this.#open?.delete(invocationId)
    ;(this.#whole ??= new Map()).set(invocationId, upload)
    upload.end(error === undefined ? undefined : new HubError(error))
    return true
  }

  /** Called when the method with these uploads has ended. */
  close(ids: readonly string[] = []): void {
    for (const upload of this.of(ids)) upload?.end()
    for (const id of ids) {
      this.#open?.delete(id)
      this.#whole?.delete(id)
    }
  }

  /** Called when the client has disconnected. */
  endAll(): void {
    this.#full?.clear()
    for (const upload of this.#open?.values() ?? [])
      upload.end(new HubError('The client has gone.'))
  }
}
