/**
 * Sign-ins by a provider over HTTP: the calls of our pages, and the two addresses that browsers are redirected
 * through.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Session } from '#contract/accounts.ts'
import { identities } from '#contract/identities.ts'
import { nextPath } from '#contract/next-path.ts'
import type { SignedIn } from '#server/people/accounts/accounts.ts'
import { createSealing } from '#server/people/accounts/factors/sealing.ts'
import { requireOwner } from '#server/people/accounts/factors/owner.ts'
import { hashOfToken } from '#server/people/accounts/door/door.ts'
import { createLinkSecrets } from '#server/people/accounts/mails/links.ts'
import { createFlowCookies } from '#server/people/accounts/oidc/flow-cookie.ts'
import { registerLogout } from '#server/people/accounts/oidc/logout.ts'
import { removeIdentity, showIdentities } from '#server/people/accounts/oidc/identities.ts'
import { createProviders, ProviderFailure } from '#server/people/accounts/oidc/providers.ts'
import { registerWaiting } from '#server/people/accounts/oidc/register.ts'
import {
  beginAtProvider,
  finishWaiting,
  readWaiting,
  returnFromProvider,
  type Returned,
} from '#server/people/accounts/oidc/sign-in.ts'
import { createBrowserSessions } from '#server/people/accounts/sessions/browser-sessions.ts'
import { createDevices } from '#server/people/accounts/sessions/devices.ts'
import { refuseForeign } from '#server/people/accounts/sessions/origin.ts'
import { openTokens } from '#server/people/accounts/sessions/tokens.ts'
import { openThrottle } from '#server/people/accounts/throttle.ts'
import { route, type CallContext, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { notFound, Refusal } from '#server/kernel/errors.ts'
import { contextOf } from '#server/kernel/http/http.ts'

function openNeeds(core: Core) {
  const tokens = openTokens(core)
  const devices = createDevices(tokens, core.publicUrl)
  return {
    ...core,
    throttle: openThrottle(core),
    sealing: createSealing(core.secrets),
    devices,
    browsers: createBrowserSessions({ ...core, tokens, devices }),
    secretOf: createLinkSecrets(core.secrets[0]),
    providers: createProviders(core),
    cookies: createFlowCookies(core.secrets, core.publicUrl),
  }
}

/** @param answerSession builds the response for somebody who has just signed in, with the cookie */
export function oidcCalls(
  core: Core,
  answerSession: (context: CallContext, signedIn: SignedIn) => Promise<Session>,
): Route[] {
  const needs = openNeeds(core)
  const { cookies, providers, publicUrl } = needs
  const enter = async (context: CallContext, signedIn: SignedIn) => {
    cookies.end(context)
    return answerSession(context, signedIn)
  }
  return [
    route(identities.waiting, (context) => readWaiting(needs, cookies.read(context.cookies))),
    route(identities.finish, async (context, given) => {
      refuseForeign(context, publicUrl)
      const flow = cookies.read(context.cookies)
      return enter(context, await finishWaiting(needs, flow, given, context))
    }),
    route(identities.register, async (context, given) => {
      refuseForeign(context, publicUrl)
      const flow = cookies.read(context.cookies)
      return enter(context, await registerWaiting(needs, flow, given, context))
    }),
    route(identities.list, ({ viewer }) => showIdentities(needs, viewer)),
    route(identities.begin, async (context, { provider: id, password }) => {
      const provider = providers.list.find((each) => each.id === id)
      if (provider === undefined) throw notFound('oidcNone')
      await requireOwner(needs, context.viewer, password)
      const { viewer, address } = context
      const holder = { userId: viewer.id, sessionId: viewer.sessionId }
      const about = { address, holder, next: ACCOUNT }
      try {
        const target = await beginAtProvider(needs, provider, cookies.begin(context), about)
        return { address: target.href }
      } catch (error) {
        if (error instanceof ProviderFailure) throw new Refusal(503, 'oidcAway', { retryAfter: 10 })
        throw error
      }
    }),
    route(identities.remove, async ({ viewer }, { id }) => {
      await removeIdentity(core, viewer, id)
      return null
    }),
  ]
}

const ACCOUNT = '/profile/update'
/** The page that asks for what a sign-in still needs. */
const CONTINUE = '/sign-in/continue'
const BEGIN = '/oidc/begin/:provider'
const CALLBACK = '/oidc/callback/:provider'

interface ByProvider {
  readonly Params: { readonly provider: string }
}

/** Registers the addresses by which a browser goes to a provider and comes back, with or without scripts. */
export function registerOidc(app: FastifyInstance, core: Core): void {
  const needs = openNeeds(core)
  const { providers, cookies } = needs
  if (providers.list.length === 0) return
  registerLogout(app, core, providers)
  const providerOf = (id: string) => providers.list.find((each) => `${each.id}` === id)

  app.get<ByProvider>(BEGIN, async (request, reply) => {
    const provider = providerOf(request.params.provider)
    if (provider === undefined) return reply.callNotFound()
    const { searchParams } = new URL(request.url, core.publicUrl)
    const next = nextOf(searchParams.get('next'))
    const token = searchParams.get('invitation')
    const invitation = token === null ? null : hashOfToken(token)
    const context = contextOf(request, reply, null)
    const { address } = context
    try {
      const about = { address, holder: null, next, invitation }
      const target = await beginAtProvider(needs, provider, cookies.begin(context), about)
      return redirect(reply, target.href)
    } catch (error) {
      return redirect(reply, login(wordOf(error), next))
    }
  })

  app.get<ByProvider>(CALLBACK, async (request, reply) => {
    const provider = providerOf(request.params.provider)
    if (provider === undefined) return reply.callNotFound()
    const context = contextOf(request, reply, null)
    const flow = cookies.read(context.cookies)
    if (flow === null) return redirect(reply, login('ended', '/'))
    try {
      const url = new URL(request.url, core.publicUrl)
      const returned = await returnFromProvider(needs, provider, flow, url, context.agent)
      return redirect(reply, await finishReturn(needs, context, returned))
    } catch (error) {
      if (!(error instanceof ProviderFailure)) request.log.error({ err: error }, 'fault')
      return redirect(reply, login(wordOf(error), '/'))
    }
  })
}

/** Sets the browser's cookies and returns where it goes next. */
async function finishReturn(
  { cookies, browsers }: ReturnType<typeof openNeeds>,
  context: CallContext,
  returned: Returned,
): Promise<string> {
  if (returned.kind === 'asks') return CONTINUE
  cookies.end(context)
  if (returned.kind === 'added') return `${ACCOUNT}?added=identity`
  if (returned.kind === 'refused')
    return returned.ofAccount ? `${ACCOUNT}?refused=${returned.why}` : login(returned.why, '/')
  await browsers.begin(context, returned.signedIn)
  return returned.next
}

/** Prevents caching, and keeps the code in this address out of the next page's referrer. */
const redirect = (reply: FastifyReply, address: string) =>
  reply
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .redirect(address, 303)

const login = (why: string, next: string) =>
  `/login?${new URLSearchParams({ refused: why, ...(next !== '/' && { next }) }).toString()}`

function wordOf(error: unknown): string {
  if (error instanceof ProviderFailure) return error.why
  return error instanceof Refusal && error.status === 429 ? 'busy' : 'away'
}

/** Returns a path of this site, by the same rules as the pages, or `/`. */
function nextOf(given: string | null): string {
  if (given !== null && given.length > 500) return '/'
  return nextPath(given)
}
