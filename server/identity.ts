/** Who is calling: the person of a bearer token or of a program's access token, or of the refresh cookie where pages and files are read. */
import type { FastifyRequest } from 'fastify'
import type { Scope } from '#contract/endpoint.ts'
import { openBearers } from '#server/accounts/access-tokens/bearer.ts'
import { claimsToBeToken } from '#server/accounts/access-tokens/token.ts'
import { cookieName } from '#server/accounts/sessions/cookie.ts'
import { openTokens } from '#server/accounts/sessions/tokens.ts'
import {
  openSessions,
  viewerOfBearer,
  viewerOfCookie,
  visitorOfCookie,
  type Visitor,
} from '#server/accounts/sessions/viewer.ts'
import { refuseFactorless, refuseScope, type Viewer } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'
import { bearerOf, readCookies } from '#server/kernel/http/http.ts'

/**
 * The viewer of a request to an address that is no call. `scope`: what an access token must have; null: none will do.
 * @throws Refusal 403 for a token without the scope, and for people who have to set up a second factor first
 */
export type ViewerOf = (request: FastifyRequest, scope: Scope | null) => Promise<Viewer | null>

export interface Identity {
  /**
   * Null when the token is expired or forged, or its session has ended; `late`: a session's expired token counts. Or the
   * person of an access token; what its scopes allow is asked where the call is known.
   */
  readonly viewerOfBearer: (token: string, late?: boolean) => Promise<Viewer | null>
  /** By the bearer header alone. */
  readonly viewerOfBearerHeader: ViewerOf
  /** By the bearer header, else by the cookie: for what a browser fetches by itself. */
  readonly viewerOfRequest: ViewerOf
  /** By the Cookie header, with what a page shows of the person; one round trip. */
  readonly visitorOf: (header: string | undefined) => Promise<Visitor | null>
}

/** Who calls, by the keys and sessions of this installation. */
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
