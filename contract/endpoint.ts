/**
 * A call as a value. `contract/<noun>.ts` has what callers need: method, path, access; what judges the call and cuts
 * its answer is joined to it in `contract/<noun>.schemas.ts`, which the server reads and a caller knows by type only.
 * So a page that calls loads no schema.
 */
import type * as z from 'zod/mini'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call: `cookie` calls are authorised by the refresh cookie alone and demand a same-origin Origin;
 * every other right needs the bearer header.
 */
export type Access = 'anybody' | 'user' | 'administrator' | 'cookie'

/** What the person of an access token lets its program do. Without `admin` an administrator's token is a user's. */
export const SCOPES = ['read', 'write', 'chat', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

type Schema = z.ZodMiniType

/** A call as callers know it. */
export interface Call<
  Input extends Schema = Schema,
  Answer extends Schema | null = Schema | null,
  Who extends Access = Access,
> {
  /** The first is what our own pages use. */
  readonly methods: readonly [Method, ...Method[]]
  /** Below `/api`, with `{name}` for parameters. */
  readonly path: `/${string}`
  readonly access: Who
  /**
   * The scope that an access token needs for it. Null: no token will do, because the call changes, guards or takes
   * along the account itself. Without default, so that whoever adds a call decides.
   */
  readonly scope: Scope | null
  /** A form-body (multipart) call; its errors are arrays. */
  readonly form?: boolean
  /**
   * A suspended person may call it: what reads, and what keeps an account safe. Unless given: what our own pages call
   * by GET, and what needs nobody signed in.
   */
  readonly openToSuspended?: boolean
  /**
   * Where everybody must have a second factor, who has none yet may call it: what sets one up. Unless given: what ends or
   * renews a session, and what takes a password or a mailed link instead of one.
   */
  readonly openToFactorless?: boolean
  /**
   * Whoever has a second factor must have confirmed within the last 15 minutes that it is them, else 403 `confirmFirst`.
   * Given for what takes an account over; the writing calls of administrators ask for it without being told.
   */
  readonly confirmed?: boolean
  /** Left out of the API description: an older address that goes on working for its callers. */
  readonly former?: boolean
  /** Its answer carries an ETag and is compressed; a caller that has it already is answered 304. */
  readonly validated?: boolean
  /** Here for its type alone; an endpoint has it in fact. */
  readonly input?: Input
  /** As `input`. */
  readonly answer?: Answer
}

/** What the server knows of a call besides. */
export interface CallSchemas<
  Input extends Schema = Schema,
  Answer extends Schema | null = Schema | null,
> {
  /** Path parameters, query and body fields in one object. */
  readonly input: Input
  /** Null: 204 without a body. */
  readonly answer: Answer
  /** One line for the API description. */
  readonly summary: string
  readonly status?: number
  /** Fields that may come several times; of all others the first value counts. */
  readonly lists?: readonly string[]
}

/** A call with what judges it. */
export interface Endpoint<
  Input extends Schema = Schema,
  Answer extends Schema | null = Schema | null,
  Who extends Access = Access,
> extends Call<Input, Answer, Who> {
  readonly form: boolean
  readonly openToSuspended: boolean
  readonly openToFactorless: boolean
  readonly confirmed: boolean
  readonly former: boolean
  readonly validated: boolean
  /** The key of the call in its group, such as `take` of `certificates`. */
  readonly name: string
  readonly input: Input
  readonly answer: Answer
  readonly summary: string
  readonly status: number
  readonly lists: readonly string[]
}

type Group = Readonly<Record<string, CallSchemas>>
type CallsOf<Schemas extends Group> = {
  readonly [Name in keyof Schemas]: Call<Schemas[Name]['input'], Schemas[Name]['answer']>
}
type EndpointsOf<Schemas extends Group, Calls extends CallsOf<Schemas>> = {
  readonly [Name in keyof Schemas]: Endpoint<
    Schemas[Name]['input'],
    Schemas[Name]['answer'],
    Calls[Name]['access']
  >
}

/** Names the schemas of a noun's calls by their type: one call for each, no more and no fewer. Gives the calls back. */
export function calls<Schemas extends Group>() {
  return <const Calls extends CallsOf<Schemas>>(given: Calls): Calls & CallsOf<Schemas> => given
}

/** Joins a noun's calls with what judges them; what was left out has its usual value. */
export function endpoints<Schemas extends Group, Calls extends CallsOf<Schemas>>(
  given: Calls,
  schemas: Schemas,
): EndpointsOf<Schemas, Calls> {
  const joined = Object.entries(schemas).map(([name, judging]) => [
    name,
    endpoint(name, given[name as keyof Schemas], judging),
  ])
  // The names are those of the schemas, one by one.
  return Object.fromEntries(joined) as EndpointsOf<Schemas, Calls>
}

function endpoint(name: string, call: Call, { status, lists, ...schemas }: CallSchemas): Endpoint {
  const { methods, access, scope } = call
  return {
    ...call,
    ...schemas,
    name,
    status: status ?? (schemas.answer === null ? 204 : 200),
    lists: lists ?? [],
    form: call.form ?? false,
    former: call.former ?? false,
    validated: call.validated ?? false,
    confirmed: call.confirmed ?? (access === 'administrator' && methods[0] !== 'GET'),
    openToFactorless:
      call.openToFactorless ?? (access === 'cookie' || (access === 'anybody' && scope === null)),
    openToSuspended:
      call.openToSuspended ?? (methods[0] === 'GET' || access === 'anybody' || access === 'cookie'),
  }
}

type Known<T> = Exclude<T, undefined>
/** What a caller passes. */
export type InputOf<C extends Call> = z.input<Known<C['input']>>
/** What a handler receives. */
export type ParsedOf<C extends Call> = z.output<Known<C['input']>>
/** What a handler returns and a caller receives. */
export type AnswerOf<C extends Call> =
  Known<C['answer']> extends z.ZodMiniType ? z.input<Known<C['answer']>> : null
