/** Who is calling: the person of a bearer token, or of the refresh cookie where pages and files are read. */
import type { FastifyRequest } from 'fastify'
import { cookieName } from '#server/accounts/sessions/cookie.ts'
import type { Tokens } from '#server/accounts/sessions/tokens.ts'
import {
  viewerOfBearer,
  viewerOfCookie,
  visitorOfCookie,
  type Visitor,
} from '#server/accounts/sessions/viewer.ts'
import type { Db } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { bearerOf, readCookies } from '#server/kernel/http/http.ts'

export interface IdentityNeeds {
  readonly db: Db
  readonly tokens: Tokens
  readonly clock: Clock
  /** Names the cookie. */
  readonly publicUrl: string
}

export interface Identity {
  /** Null when the token is expired or forged, or its session has ended. `late`: its expiry alone does not count. */
  readonly ofBearer: (token: string, late?: boolean) => Promise<Viewer | null>
  /** By the bearer header alone, as every call that changes something demands it. */
  readonly ofBearerHeader: (request: FastifyRequest) => Promise<Viewer | null>
  /** By the bearer header, else by the cookie: for what a browser fetches by itself. */
  readonly ofRequest: (request: FastifyRequest) => Promise<Viewer | null>
  /** By the Cookie header, with what a page shows of the person; one round trip. */
  readonly visitorOf: (header: string | undefined) => Promise<Visitor | null>
}

export function createIdentity(needs: IdentityNeeds): Identity {
  const name = cookieName(needs.publicUrl)
  const ofBearer: Identity['ofBearer'] = (token, late = false) => viewerOfBearer(needs, token, late)
  return {
    ofBearer,
    ofBearerHeader: async (request) => {
      const token = bearerOf(request)
      return token === null ? null : ofBearer(token)
    },
    ofRequest: async (request) => {
      const token = bearerOf(request)
      if (token !== null) return ofBearer(token)
      const cookie = readCookies(request.headers.cookie)[name]
      return cookie === undefined ? null : viewerOfCookie(needs, cookie)
    },
    visitorOf: async (header) => {
      const cookie = readCookies(header)[name]
      return cookie === undefined ? null : visitorOfCookie(needs, cookie)
    },
  }
}
