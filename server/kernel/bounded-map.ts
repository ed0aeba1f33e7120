/** What a process remembers of many (callers, pages, tokens) has a bound: what was used least recently goes first. */

export interface Bound<Value> {
  /** Entries at most; or, with `sizeOf`, the sum of their sizes. */
  readonly most: number
  /** The size of a value, which must not change while the value is in the map. */
  readonly sizeOf?: (value: Value) => number
}

/** A map that never holds more than its bound. An entry alone that is larger than all of it is not taken. */
export class BoundedMap<Key, Value> {
  // A Map walks its keys in the order in which they were put in, so what is used goes to its end.
  readonly #entries = new Map<Key, Value>()
  readonly #most: number
  readonly #sizeOf: (value: Value) => number
  #size = 0

  constructor({ most, sizeOf = () => 1 }: Bound<Value>) {
    this.#most = most
    this.#sizeOf = sizeOf
  }

  /** The sum of all sizes. */
  get size(): number {
    return this.#size
  }

  /** The value, which counts as used now. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  /** The value, without using it. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  /** Puts a value in, in place of the one that the key had. */
  set(key: Key, value: Value): void {
    this.delete(key)
    this.#entries.set(key, value)
    this.#size += this.#sizeOf(value)
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#most) return
      this.delete(oldest)
    }
  }

  delete(key: Key): void {
    const value = this.#entries.get(key)
    if (value === undefined) return
    this.#entries.delete(key)
    this.#size -= this.#sizeOf(value)
  }

  /** Least recently used first. */
  entries(): IterableIterator<[Key, Value]> {
    return this.#entries.entries()
  }
}
