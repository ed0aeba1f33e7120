/** The maximum number of entries or, with `sizeOf`, the maximum sum of their sizes. */

export interface Bound<Value> {
  readonly most: number
  /** A value's size must not change while the value is in the map. */
  readonly sizeOf?: (value: Value) => number
}

/** An LRU cache. Doesn't store a value that alone is larger than the bound. */
export class BoundedMap<Key, Value> {
  // A Map iterates in insertion order, so each use moves the entry to the end.
  readonly #entries = new Map<Key, Value>()
  readonly #most: number
  readonly #sizeOf: (value: Value) => number
  #size = 0

  constructor({ most, sizeOf = () => 1 }: Bound<Value>) {
    this.#most = most
    this.#sizeOf = sizeOf
  }

  get size(): number {
    return this.#size
  }

  /** Returns the value and marks it as recently used. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  /** Returns the value without marking it as used. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

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

  /** Iterates from the least to the most recently used entry. */
  entries(): IterableIterator<[Key, Value]> {
    return this.#entries.entries()
  }
}
