/** A call of the API as a value: method, path and access, the schemas of its input and answer, its description. */
import type * as z from 'zod/mini'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call: `cookie` calls are authorised by the refresh cookie alone and demand a same-origin Origin;
 * every other right needs the bearer header.
 */
export type Access = 'anybody' | 'user' | 'administrator' | 'cookie'

/** What an access token allows its program to do. Without `admin` an administrator's token is a user's. */
export const SCOPES = ['read', 'write', 'chat', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

type Schema = z.ZodMiniType

export interface Endpoint<
  Input extends Schema = Schema,
  Answer extends Schema | null = Schema | null,
  Who extends Access = Access,
> {
  /** The key of the call in its group, such as `take` of `certificates`. */
  readonly name: string
  /** Our own pages use the first one. */
  readonly methods: readonly [Method, ...Method[]]
  /** Below `/api`, with `{name}` for parameters. */
  readonly path: `/${string}`
  readonly access: Who
  /**
   * The scope that an access token needs. Null: no token is accepted, because the call changes, guards or exports the
   * account itself. It has no default, so whoever adds a call decides.
   */
  readonly scope: Scope | null
  /** Path parameters, query and body fields in one object. */
  readonly input: Input
  /** Null: 204 without a body. */
  readonly answer: Answer
  /** One line for the API description. */
  readonly summary: string
  /** 200 by default, or 204 without an answer. */
  readonly status: number
  /** Fields that may be repeated; of any other field the first value counts. */
  readonly lists: readonly string[]
  /** A form-body (multipart) call; its errors are arrays. */
  readonly form: boolean
  /**
   * A suspended person may call it: it reads, or keeps an account safe. By default the calls that our own pages make
   * by GET, and those that need no sign-in.
   */
  readonly openToSuspended: boolean
  /**
   * Where everybody must have a second factor, people without one may call it, because it helps to set one up. By
   * default the calls that end or renew a session, and those that take a password or a mailed link instead of one.
   */
  readonly openToFactorless: boolean
  /**
   * People with a second factor must have confirmed their identity within the last 15 minutes, else 403 `confirmFirst`.
   * Set it on calls that could take over an account. By default the writing calls of administrators.
   */
  readonly confirmed: boolean
  /** Left out of the API description: an older address that still works. */
  readonly former: boolean
  /** Its answer carries an ETag and is compressed; a caller that has it already is answered 304. */
  readonly validated: boolean
}

type WithDefault =
  | 'status'
  | 'lists'
  | 'form'
  | 'openToSuspended'
  | 'openToFactorless'
  | 'confirmed'
  | 'former'
  | 'validated'
type Draft = Omit<Endpoint, 'name' | WithDefault> & Partial<Pick<Endpoint, WithDefault>>

/** Names the calls of a noun by their keys and fills in the settings that they leave out. */
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
    former: false,
    validated: false,
    confirmed: access === 'administrator' && !reads,
    openToFactorless: access === 'cookie' || (access === 'anybody' && scope === null),
    openToSuspended: reads || access === 'anybody' || access === 'cookie',
    ...draft,
  }
}

/** What a caller passes. */
export type InputOf<E extends Endpoint> = z.input<E['input']>
/** What a handler receives. */
export type ParsedOf<E extends Endpoint> = z.output<E['input']>
/** What a handler returns and a caller receives. */
export type AnswerOf<E extends Endpoint> = E['answer'] extends Schema ? z.input<E['answer']> : null
