/** Identifies the caller by a bearer token or an access token, or by the refresh cookie for pages and files. */
import type { FastifyRequest } from 'fastify'
import type { Scope } from '#contract/endpoint.ts'
import { openBearers } from '#server/people/accounts/access-tokens/bearer.ts'
import { claimsToBeToken } from '#server/people/accounts/access-tokens/token.ts'
import { cookieName } from '#server/people/accounts/sessions/cookie.ts'
import { openTokens } from '#server/people/accounts/sessions/tokens.ts'
import {
  openSessions,
  viewerOfBearer,
  viewerOfCookie,
  visitorOfCookie,
  type Visitor,
} from '#server/people/accounts/sessions/viewer.ts'
import { refuseFactorless, refuseScope, type Viewer } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { bearerOf, readCookies } from '#server/kernel/http/http.ts'

/**
 * Returns the viewer of a request that doesn't run through `call`. `scope` is what an access token must have; with
 * null none is accepted.
 * @throws Refusal 403 for a token without the scope, and for people who must set up a second factor first
 */
export type ViewerOf = (request: FastifyRequest, scope: Scope | null) => Promise<Viewer | null>

export interface Identity {
  /**
   * Returns null when the token is expired or forged, or its session has ended; `late` accepts a session's expired
   * token. For an access token returns its owner; the call checks the scopes.
   */
  readonly viewerOfBearer: (token: string, late?: boolean) => Promise<Viewer | null>
  /** Uses only the bearer header. */
  readonly viewerOfBearerHeader: ViewerOf
  /** Uses the bearer header or else the cookie: for what browsers load themselves. */
  readonly viewerOfRequest: ViewerOf
  /** Uses the Cookie header and reads what pages show about the person, with one query. */
  readonly visitorOf: (header: string | undefined) => Promise<Visitor | null>
}

export function createIdentity(core: Core): Identity {
  const needs = { ...core, tokens: openTokens(core), sessions: openSessions(core) }
  const name = cookieName(core.publicUrl)
  const ofToken = openBearers(core)
  const ofBearer: Identity['viewerOfBearer'] = (token, late = false) =>
    claimsToBeToken(token) ? ofToken(token) : viewerOfBearer(needs, token, late)
  const ofHeader = async (token: string, scope: Scope | null) => {
    const viewer = await ofBearer(token)
    if (viewer !== null) refuseScope(viewer, scope)
    return requireFactor(viewer)
  }
  return {
    viewerOfBearer: ofBearer,
    viewerOfBearerHeader: async (request, scope) => {
      const token = bearerOf(request)
      return token === null ? null : ofHeader(token, scope)
    },
    viewerOfRequest: async (request, scope) => {
      const token = bearerOf(request)
      if (token !== null) return ofHeader(token, scope)
      const cookie = readCookies(request.headers.cookie)[name]
      return cookie === undefined ? null : requireFactor(await viewerOfCookie(needs, cookie))
    },
    visitorOf: async (header) => {
      const cookie = readCookies(header)[name]
      return cookie === undefined ? null : visitorOfCookie(needs, cookie)
    },
  }
}

/** Refuses people who must set up a second factor first. @throws Refusal 403 */
function requireFactor(viewer: Viewer | null): Viewer | null {
  if (viewer !== null) refuseFactorless(viewer)
  return viewer
}
