/**
 * Every endpoint runs through `call`: parse, access, verb, answer. Fastify adapts HTTP to it, the renderer of
 * pages calls it directly.
 */
import type { Role } from '#contract/accounts.ts'
import type { AnswerOf, Endpoint, ParsedOf, Scope } from '#contract/endpoint.ts'
import type { Locale } from '#contract/messages/messages.ts'
import { forbidden, invalid, Refusal, unauthorized } from '#server/kernel/errors.ts'
import { toStorable } from '#server/kernel/text/storable.ts'

/** Who is looking. Role and suspension come from the database, never from the token. */
export interface Viewer {
  readonly id: string
  readonly username: string
  readonly role: Role
  readonly suspended: boolean
  /** The session family that the token or cookie belongs to. */
  readonly sessionId: string
  /** They changed something in the last seconds, on any node; what they read must show it (db/replica/reads.ts). */
  readonly wroteLately: boolean
  /**
   * What they have to do before more is open to them. `unconfirmed`: they have a second factor, and longer than 15
   * minutes have not confirmed that it is them.
   */
  readonly held?: 'unconfirmed' | null
  /**
   * What is shut to them for want of a second factor that this site demands. `all`: everything but setting one up.
   * `desk`: they administer, and until then their role is that of a user.
   */
  readonly shut?: 'all' | 'desk' | null
  /** Of a program that calls with an access token: what it may do. Absent for a session, which may do all. */
  readonly scopes?: readonly Scope[]
}

/** What a handler may know of the request, besides its input. */
export interface CallContext {
  readonly viewer: Viewer | null
  readonly locale: Locale
  /** The caller's address, as far as TRUST_PROXY trusts it. */
  readonly address: string
  readonly agent: string
  readonly method: string
  /** The Origin header, which browsers send with every POST. */
  readonly origin: string | undefined
  readonly host: string
  readonly cookies: Readonly<Record<string, string | undefined>>
  /** False for HEAD, prefetch and edit prefill: such a call counts no view. */
  readonly countsView: boolean
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal
  /** Response headers, `set-cookie` included; ignored where a page is rendered. */
  setHeader(name: string, value: string): void
}

/** The context of a call that needs a signed-in person. */
export interface SignedInContext extends CallContext {
  readonly viewer: Viewer
}

type ContextOf<E extends Endpoint> = E['access'] extends 'user' | 'administrator'
  ? SignedInContext
  : CallContext

export interface Route {
  readonly endpoint: Endpoint
  run(context: CallContext, input: unknown): Promise<unknown>
}

/** Binds an endpoint to its handler. */
export function route<E extends Endpoint>(
  endpoint: E,
  handler: (context: ContextOf<E>, input: ParsedOf<E>) => Promise<AnswerOf<E>>,
): Route {
  return {
    endpoint,
    run: (context, input) => {
      refuseStrangers(endpoint, context.viewer)
      // The guard above makes the context fit the endpoint's access.
      return handler(context as ContextOf<E>, parseInput(endpoint, input) as ParsedOf<E>)
    },
  }
}

/**
 * By the endpoint's access; a suspended person reads and exports, but writes nothing.
 * @throws Refusal 401, 403
 */
export function refuseStrangers(endpoint: Endpoint, viewer: Viewer | null): void {
  if (viewer !== null) refuseScope(viewer, endpoint.scope)
  if (viewer !== null && !endpoint.openToFactorless) refuseFactorless(viewer)
  const needsViewer = endpoint.access === 'user' || endpoint.access === 'administrator'
  if (needsViewer && viewer === null) throw unauthorized()
  if (endpoint.access === 'administrator' && viewer?.shut === 'desk')
    throw forbidden('factorDemanded')
  if (endpoint.access === 'administrator' && viewer?.role !== 'administrator') throw forbidden()
  if (viewer?.suspended === true && !endpoint.openToSuspended) throw forbidden('suspended')
  if (viewer !== null && endpoint.confirmed) refuseUnconfirmed(viewer)
}

/**
 * Before what an access token may lack the scope for; null: no token has it.
 * @throws Refusal 403 that names the scope
 */
export function refuseScope({ scopes }: Pick<Viewer, 'scopes'>, scope: Scope | null): void {
  if (scopes === undefined) return
  if (scope === null) throw forbidden('tokenNotForAccount')
  if (!scopes.includes(scope)) throw new Refusal(403, 'tokenScopeMissing', { values: { scope } })
}

/**
 * Before all that is not the setting up of a second factor, on a site that demands one of everybody.
 * @throws Refusal 403 `factorDemandedOfAll`, upon which our pages lead to where one is set up
 */
export function refuseFactorless(viewer: Pick<Viewer, 'shut'>): void {
  if (viewer.shut === 'all') throw forbidden('factorDemandedOfAll')
}

/**
 * Before what must not be done by whoever finds a browser open.
 * @throws Refusal 403 `confirmFirst`, upon which our pages ask for password and code and send the call again
 */
export function refuseUnconfirmed(viewer: Pick<Viewer, 'held'>): void {
  if (viewer.held === 'unconfirmed') throw forbidden('confirmFirst')
}

/** Parses the merged path, query and body. @throws Refusal 400 with a packed message for each field */
export function parseInput(endpoint: Endpoint, input: unknown): unknown {
  const result = endpoint.input.safeParse(storable(input))
  if (result.success) return result.data
  const fields = new Map<string, string>()
  for (const { path, message } of result.error.issues) {
    const field = fieldOf(path)
    if (!fields.has(field)) fields.set(field, message)
  }
  throw invalid(Object.fromEntries(fields))
}

/** A field of the call; within a list of objects it is named with its place: `checks.0.text`. */
function fieldOf(path: readonly PropertyKey[]): string {
  return (path.length > 2 ? path : path.slice(0, 1)).map(String).join('.')
}

/** Levels of lists and objects in an input; no call needs half of them. */
const DEEPEST = 20

/** Texts of any field as the database can store them. @throws Refusal 400 for what is nested too deep */
function storable(input: unknown, depth = 0): unknown {
  if (typeof input === 'string') return toStorable(input)
  if (typeof input !== 'object' || input === null || input instanceof Blob) return input
  if (depth > DEEPEST) throw new Refusal(400, 'badRequest')
  const inside = (value: unknown) => storable(value, depth + 1)
  if (Array.isArray(input)) return input.map(inside)
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, inside(value)]))
}
