/** A hub's definition: methods that clients call, and handlers of connects and disconnects. */
import type { HubContext } from './hub-context.ts'
import type { StandardSchema } from './calls/standard-schema.ts'
import type {
  AnySide,
  ItemOf,
  MethodNameOf,
  ParametersOf,
  ResultOf,
  SentOf,
  StreamNameOf,
  UploadsOf,
} from './signatures.ts'

/** Throw it to send its message to the client. Messages of other errors are not sent. */
export class HubError extends Error {
  override readonly name: string = 'HubException'
}

/** A call, as passed to policies and to filters (filters.ts). */
export interface HubCall<Client = AnySide> {
  readonly context: HubContext<Client>
  /** Spelled as in the definition, whatever case the client used. */
  readonly method: string
  readonly kind: 'method' | 'stream'
  /** Validated already if there are schemas. Excludes uploads. */
  readonly arguments: readonly unknown[]
}

/** Returns true to allow the call. Otherwise the client is told that it is unauthorized. */
export type Policy<Client = AnySide> = (call: HubCall<Client>) => boolean | Promise<boolean>

export type HubMethod<
  Parameters extends readonly unknown[] = unknown[],
  Result = unknown,
  Client = AnySide,
> = (context: HubContext<Client>, ...parameters: Parameters) => Result | Promise<Result>

export type HubStream<
  Parameters extends readonly unknown[] = unknown[],
  Item = unknown,
  Client = AnySide,
> = (context: HubContext<Client>, ...parameters: Parameters) => AsyncIterable<Item> | Iterable<Item>

type SchemasOf<Sent extends readonly unknown[]> = {
  readonly [Index in keyof Sent]: StandardSchema<Sent[Index]>
}

/** A method or stream with checks that run before it. */
export interface CallOptions<
  Handler = HubMethod,
  Parameters extends readonly unknown[] = unknown[],
  Client = AnySide,
> {
  readonly run: Handler
  /** Number of trailing parameters that are streams uploaded by the client, as async iterables. */
  readonly uploads?: number
  /** One schema for each sent parameter. `run` receives their output and is not called with invalid arguments. */
  readonly arguments?: SchemasOf<SentOf<Parameters>>
  readonly authorize?: Policy<Client>
}

export type MethodOptions = CallOptions
export type StreamOptions = CallOptions<HubStream>

/** A method with uploads must set `uploads`. */
type HandlerOrOptions<Handler, Parameters extends readonly unknown[], Client> =
  UploadsOf<Parameters> extends readonly []
    ? Handler | CallOptions<Handler, Parameters, Client>
    : CallOptions<Handler, Parameters, Client> & {
        readonly uploads: UploadsOf<Parameters>['length']
      }

export type HubMethods<Server = AnySide, Client = AnySide> = string extends keyof Server
  ? Readonly<Record<string, HubMethod | MethodOptions>>
  : {
      readonly [Name in MethodNameOf<Server>]: HandlerOrOptions<
        HubMethod<ParametersOf<Server, Name>, ResultOf<Server, Name>, Client>,
        ParametersOf<Server, Name>,
        Client
      >
    }

type Streams<Server, Client> = {
  readonly [Name in StreamNameOf<Server>]: HandlerOrOptions<
    HubStream<ParametersOf<Server, Name>, ItemOf<ResultOf<Server, Name>>, Client>,
    ParametersOf<Server, Name>,
    Client
  >
}

/** The yielded values are sent item by item. */
export type HubStreams<Server = AnySide, Client = AnySide> = string extends keyof Server
  ? { readonly streams?: Readonly<Record<string, HubStream | StreamOptions>> }
  : [StreamNameOf<Server>] extends [never]
    ? { readonly streams?: Readonly<Record<string, never>> }
    : { readonly streams: Streams<Server, Client> }

export interface HubEvents<Client = AnySide> {
  /** Called before each call, and before the method's own policy. */
  readonly authorize?: Policy<Client>
  /** If it throws, the connection is refused. */
  readonly onConnected?: (context: HubContext<Client>) => unknown
  readonly onDisconnected?: (context: HubContext<Client>, error: Error | undefined) => unknown
}

/** Method names ignore case. The number of arguments must be that of the parameters or schemas. */
export type HubDefinition<Server = AnySide, Client = AnySide> = {
  readonly methods: HubMethods<Server, Client>
} & HubStreams<Server, Client> &
  HubEvents<Client>

interface EntryFields {
  /** Spelled as in the definition. */
  readonly name: string
  /** Number of arguments that the client must send. */
  readonly parameters: number
  readonly uploads: number
  readonly schemas: readonly StandardSchema[] | null
  readonly authorize: Policy | null
}

export type MethodEntry =
  | (EntryFields & { readonly kind: 'method'; readonly run: HubMethod })
  | (EntryFields & { readonly kind: 'stream'; readonly run: HubStream })

export type MethodTable = ReadonlyMap<string, MethodEntry>

/**
 * Ignores inherited properties such as `toString`.
 * @throws TypeError for a duplicate name
 */
export function createMethodTable({ methods, streams = {} }: HubDefinition): MethodTable {
  const table = new Map<string, MethodEntry>()
  const add = (entry: MethodEntry) => {
    const key = entry.name.toLowerCase()
    if (table.has(key)) throw new TypeError(`The hub has two methods called ${entry.name}.`)
    table.set(key, entry)
  }
  for (const [name, given] of Object.entries(methods)) {
    const options = typeof given === 'function' ? { run: given } : given
    add({ kind: 'method', run: options.run, ...describe(name, options) })
  }
  for (const [name, given] of Object.entries(streams)) {
    const options = typeof given === 'function' ? { run: given } : given
    add({ kind: 'stream', run: options.run, ...describe(name, options) })
  }
  return table
}

function describe(name: string, options: MethodOptions | StreamOptions): EntryFields {
  const { uploads = 0, arguments: schemas = null, authorize = null, run } = options
  return {
    name,
    parameters: schemas?.length ?? Math.max(0, run.length - 1 - uploads),
    uploads,
    schemas,
    authorize,
  }
}
