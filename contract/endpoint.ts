/** Describes a call of the API as a value: method, path, access and the schemas of its input and answer. */
import type * as z from 'zod/mini'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * `cookie` calls are authorised by the refresh cookie alone and require a same-origin Origin. `user` and
 * `administrator` need the bearer header.
 */
export type Access = 'anybody' | 'user' | 'administrator' | 'cookie'

/** Scopes of access tokens. Without `admin`, an administrator's token has a user's rights. */
export const SCOPES = ['read', 'write', 'chat', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

type Schema = z.ZodMiniType

export interface Endpoint<
  Input extends Schema = Schema,
  Answer extends Schema | null = Schema | null,
  Who extends Access = Access,
> {
  /** The call's key in its group, such as `take` of `certificates`. */
  readonly name: string
  /** Our own pages use the first one. */
  readonly methods: readonly [Method, ...Method[]]
  /** Relative to `/api`, with `{name}` for parameters. */
  readonly path: `/${string}`
  readonly access: Who
  /**
   * The scope that an access token needs. Null refuses tokens, because the call changes, protects or exports the
   * account itself. There is no default, so that whoever adds a call must decide.
   */
  readonly scope: Scope | null
  /** Path parameters, query and body fields in one object. */
  readonly input: Input
  /** Null sends 204 without a body. */
  readonly answer: Answer
  /** One line for the API description. */
  readonly summary: string
  /** Defaults to 200, or to 204 without an answer. */
  readonly status: number
  /** Fields that may be repeated. For any other field the first value counts. */
  readonly lists: readonly string[]
  /** Accepts a multipart form body. Its errors are arrays. */
  readonly form: boolean
  /**
   * Suspended people may make this call. Defaults to true for our own pages' GET calls and for calls that need no
   * sign-in; set it on calls that keep an account safe.
   */
  readonly openToSuspended: boolean
  /**
   * People who must set up a second factor may make this call. Defaults to true for calls that end or renew a
   * session, and for calls that take a password or a mailed link instead of one.
   */
  readonly openToFactorless: boolean
  /**
   * People with a second factor must have confirmed their identity within the last 15 minutes, else 403
   * `confirmFirst`. Set it on calls that could take over an account. Defaults to true for administrators' writing
   * calls.
   */
  readonly confirmed: boolean
  /** The largest JSON body, if it may be larger than that of other calls. */
  readonly bodyBytes: number | null
  /** An older path that still works. Left out of the API description. */
  readonly former: boolean
  /** The answer carries an ETag and is compressed. The server sends 304 if the caller already has it. */
  readonly validated: boolean
}

type WithDefault =
  | 'status'
  | 'lists'
  | 'form'
  | 'openToSuspended'
  | 'openToFactorless'
  | 'confirmed'
  | 'bodyBytes'
  | 'former'
  | 'validated'
type Draft = Omit<Endpoint, 'name' | WithDefault> & Partial<Pick<Endpoint, WithDefault>>

/** Names each call by its key and fills in defaults. */
export function endpoints<const Drafts extends Readonly<Record<string, Draft>>>(drafts: Drafts) {
  const entries = Object.entries(drafts).map(([name, draft]) => [name, withDefaults(name, draft)])
  return Object.fromEntries(entries) as {
    readonly [Name in keyof Drafts]: Endpoint<
      Drafts[Name]['input'],
      Drafts[Name]['answer'],
      Drafts[Name]['access']
    >
  }
}

function withDefaults(name: string, draft: Draft): Endpoint {
  const { methods, access, scope, answer } = draft
  const reads = methods[0] === 'GET'
  return {
    name,
    status: answer === null ? 204 : 200,
    lists: [],
    form: false,
    bodyBytes: null,
    former: false,
    validated: false,
    confirmed: access === 'administrator' && !reads,
    openToFactorless: access === 'cookie' || (access === 'anybody' && scope === null),
    openToSuspended: reads || access === 'anybody' || access === 'cookie',
    ...draft,
  }
}

export type InputOf<E extends Endpoint> = z.input<E['input']>
export type ParsedOf<E extends Endpoint> = z.output<E['input']>
export type AnswerOf<E extends Endpoint> = E['answer'] extends Schema ? z.input<E['answer']> : null
