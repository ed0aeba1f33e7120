/** What one side may ask of the other, as types: the names of methods, what they take, and what they give. */

/** Any names with any values: how a hub is spoken to whose types are not told. */
export type AnySide = Record<string, (...parameters: unknown[]) => unknown>

export type NameOf<Side> = keyof Side & string

export type ParametersOf<Side, Name extends keyof Side> = Side[Name] extends (
  ...parameters: infer Parameters
) => unknown
  ? Parameters
  : never

/** What is in the end there, also when it is promised. */
export type ResultOf<Side, Name extends keyof Side> = Side[Name] extends (
  ...parameters: never[]
) => infer Result
  ? Awaited<Result>
  : never

/** Names whose methods give a stream: an `AsyncIterable`. */
export type StreamNameOf<Side> = {
  [Name in NameOf<Side>]: ResultOf<Side, Name> extends AsyncIterable<unknown> ? Name : never
}[NameOf<Side>]

export type MethodNameOf<Side> = Exclude<NameOf<Side>, StreamNameOf<Side>>

export type ItemOf<Stream> = Stream extends AsyncIterable<infer Item> ? Item : never

/** The parameters that are uploaded, which stand last. */
export type UploadsOf<Parameters extends readonly unknown[]> = Parameters extends readonly [
  ...infer Before,
  infer Last,
]
  ? Last extends AsyncIterable<unknown>
    ? readonly [...UploadsOf<Before>, Last]
    : readonly []
  : readonly []

/** The parameters that are sent with the call. */
export type SentOf<Parameters extends readonly unknown[]> = Parameters extends readonly [
  ...infer Before,
  infer Last,
]
  ? Last extends AsyncIterable<unknown>
    ? SentOf<Before>
    : Parameters
  : Parameters
