/** Types of the methods on both sides: names, parameters and results. */

/** Any names with any values, for a hub without types. */
export type AnySide = Record<string, (...parameters: unknown[]) => unknown>

export type NameOf<Side> = keyof Side & string

export type ParametersOf<Side, Name extends keyof Side> = Side[Name] extends (
  ...parameters: infer Parameters
) => unknown
  ? Parameters
  : never

/** The result, also if it is a promise. */
export type ResultOf<Side, Name extends keyof Side> = Side[Name] extends (
  ...parameters: never[]
) => infer Result
  ? Awaited<Result>
  : never

/** Names of methods that return an `AsyncIterable`. */
export type StreamNameOf<Side> = {
  [Name in NameOf<Side>]: ResultOf<Side, Name> extends AsyncIterable<unknown> ? Name : never
}[NameOf<Side>]

export type MethodNameOf<Side> = Exclude<NameOf<Side>, StreamNameOf<Side>>

export type ItemOf<Stream> = Stream extends AsyncIterable<infer Item> ? Item : never

/** The uploaded parameters, which come last. */
export type UploadsOf<Parameters extends readonly unknown[]> = Parameters extends readonly [
  ...infer Before,
  infer Last,
]
  ? Last extends AsyncIterable<unknown>
    ? readonly [...UploadsOf<Before>, Last]
    : readonly []
  : readonly []

/** The parameters sent with the call. */
export type SentOf<Parameters extends readonly unknown[]> = Parameters extends readonly [
  ...infer Before,
  infer Last,
]
  ? Last extends AsyncIterable<unknown>
    ? SentOf<Before>
    : Parameters
  : Parameters
