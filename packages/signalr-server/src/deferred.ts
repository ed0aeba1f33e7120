/** A replacement for `Promise.withResolvers` on older versions of Node. */

export interface Deferred<Value> {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
  readonly reject: (reason: unknown) => void
}

export function createDeferred<Value>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<Value>((take, refuse) => {
    resolve = take
    reject = refuse
  })
  return { promise, resolve, reject }
}
