/**
 * Every endpoint runs through `call`: parse, check access, run the handler, return. Fastify adapts HTTP to it, and
 * the page renderer calls it directly.
 */
import type { Role } from '#contract/accounts.ts'
import type { AnswerOf, Endpoint, ParsedOf, Scope } from '#contract/endpoint.ts'
import type { Locale } from '#contract/messages/messages.ts'
import { forbidden, invalid, Refusal, unauthorized } from '#server/kernel/errors.ts'
import { toStorable } from '#server/kernel/text/storable.ts'

/** Role and suspension come from the database, never from the token. */
export interface Viewer {
  readonly id: string
  readonly username: string
  readonly role: Role
  readonly suspended: boolean
  readonly sessionId: string
  /**
   * The person changed something in the last seconds, on any node; what they read must show it
   * (platform/core/reads.ts).
   */
  readonly wroteLately: boolean
  /** `unconfirmed`: the person has a second factor and hasn't confirmed their identity in the last 15 minutes. */
  readonly held?: 'unconfirmed' | null
  /**
   * What the person can't use until they set up a second factor that this site requires. `all`: everything except
   * the setup. `desk`: an administrator's powers; until then their role is that of a user.
   */
  readonly shut?: 'all' | 'desk' | null
  /** What the access token of a program allows. A session has no scopes and may do everything. */
  readonly scopes?: readonly Scope[]
}

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
  /** False for HEAD, prefetch and edit prefill, which count no view. */
  readonly countsView: boolean
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
  /** Sets a response header, `set-cookie` included. Has no effect while a page is rendered. */
  setHeader(name: string, value: string): void
}

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

export function route<E extends Endpoint>(
  endpoint: E,
  handler: (context: ContextOf<E>, input: ParsedOf<E>) => Promise<AnswerOf<E>>,
): Route {
  return {
    endpoint,
    run: (context, input) => {
      refuseStrangers(endpoint, context.viewer)
      // refuseStrangers() has checked that the context fits the endpoint's access.
      return handler(context as ContextOf<E>, parseInput(endpoint, input) as ParsedOf<E>)
    },
  }
}

/**
 * Checks the endpoint's access. Suspended people can read and export, but not write.
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
 * Refuses access tokens without the scope. No access token may make a call whose scope is null.
 * @throws Refusal 403 that names the scope
 */
export function refuseScope({ scopes }: Pick<Viewer, 'scopes'>, scope: Scope | null): void {
  if (scopes === undefined) return
  if (scope === null) throw forbidden('tokenNotForAccount')
  if (!scopes.includes(scope)) throw new Refusal(403, 'tokenScopeMissing', { values: { scope } })
}

/**
 * Refuses everything except the setup of a second factor, on a site that requires one of everybody.
 * @throws Refusal 403 `factorDemandedOfAll`, on which our pages lead to the setup
 */
export function refuseFactorless(viewer: Pick<Viewer, 'shut'>): void {
  if (viewer.shut === 'all') throw forbidden('factorDemandedOfAll')
}

/**
 * Guards actions that somebody who finds an open browser must not be able to take.
 * @throws Refusal 403 `confirmFirst`, on which our pages ask for password and code and repeat the call
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

/** Names the field of the call; within a list of objects, the name includes the index: `checks.0.text`. */
function fieldOf(path: readonly PropertyKey[]): string {
  return (path.length > 2 ? path : path.slice(0, 1)).map(String).join('.')
}

/** Maximum nesting depth of an input; no call needs half of it. */
const DEEPEST = 20

/**
 * Replaces characters in texts that the database can't store. @throws Refusal 400 for input that is nested too
 * deeply
 */
function storable(input: unknown, depth = 0): unknown {
  if (typeof input === 'string') return toStorable(input)
  if (typeof input !== 'object' || input === null || input instanceof Blob) return input
  if (depth > DEEPEST) throw new Refusal(400, 'badRequest')
  const inside = (value: unknown) => storable(value, depth + 1)
  if (Array.isArray(input)) return input.map(inside)
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, inside(value)]))
}
