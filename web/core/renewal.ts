/** Renews the access token with the refresh cookie, once for all tabs. */
import { accounts } from '#contract/accounts.ts'
import { readError } from '#web/core/api-error.ts'
import {
  currentPerson,
  currentToken,
  dropToken,
  isSession,
  readStoredSession,
  setSession,
} from '#web/core/session.ts'

let lost = false

/** True between a refused renewal and the next sign-in. */
export const isSessionLost = (): boolean => lost && currentToken() === null

/** Renews a token that is about to expire. Returns null for guests. */
export async function freshToken(): Promise<string | null> {
  const token = currentToken()
  if (token !== null && !endsSoon(token)) return token
  if (currentPerson() === null || isSessionLost()) return null
  return renew(token)
}

/** Renews a token that the server has refused. If another tab has stored a newer one, it uses that. */
export async function renew(stale: string | null): Promise<string | null> {
  return navigator.locks.request('kb-renewal', async () => {
    const stored = readStoredSession()
    if (stored !== null && stored.accessToken !== stale && !endsSoon(stored.accessToken)) {
      setSession(stored)
      return stored.accessToken
    }
    const response = await fetch(`/api${accounts.refresh.path}`, { method: 'POST' })
    const body: unknown = await response.json().catch(() => null)
    if (response.ok && isSession(body)) {
      lost = false
      setSession(body)
      return body.accessToken
    }
    if (response.status !== 401 && response.status !== 403)
      throw readError(response.status, body, response.statusText)
    lost = true
    dropToken()
    return null
  })
}

/** True in the last 30 seconds, or in the last fifth of a very short lifetime. */
function endsSoon(token: string): boolean {
  try {
    const part = token.split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')))
    if (typeof claims !== 'object' || claims === null || !('exp' in claims)) return false
    const end = Number(claims.exp)
    const life = 'iat' in claims ? end - Number(claims.iat) : 60
    return end - Date.now() / 1000 < Math.min(30, life / 5)
  } catch {
    return false
  }
}
