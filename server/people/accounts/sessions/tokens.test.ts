import { describe, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { createTokens } from '#server/people/accounts/sessions/tokens.ts'

const OLD = 'an old secret of more than 32 characters'
const NEW = 'a new secret of more than 32 characters.'
const time = { now: new Date('2026-11-21T12:00:00Z') }
const clock = { now: () => time.now }
const tokensOf = (...secrets: string[]) => createTokens({ secrets, accessMinutes: 15, clock })
const userId = newId()
const sessionId = newId()

describe('access tokens', () => {
  it('refuses an expired token that it knew before', async () => {
    const tokens = tokensOf(NEW)
    const token = await tokens.signAccess(userId, sessionId)
    expect(await tokens.verifyAccess(token)).toEqual({ userId, sessionId })
    expect(await tokens.verifyAccess(token)).toEqual({ userId, sessionId })
    const before = time.now
    time.now = new Date(before.getTime() + 15 * 60_000 + 1000)
    expect(await tokens.verifyAccess(token)).toBeNull()
    time.now = before
  })
  it('keeps what the previous secret signed', async () => {
    const token = await tokensOf(OLD).signAccess(userId, sessionId)
    expect(await tokensOf(NEW, OLD).verifyAccess(token)).toEqual({ userId, sessionId })
  })
})

describe('refresh tokens', () => {
  const token = tokensOf(NEW).refreshToken(sessionId, 7)
  it.each([
    ['another generation', token.replace('.7.', '.8.')],
    ['another session', tokensOf(NEW).refreshToken(newId(), 7).split('.')[0] + token.slice(22)],
    ['a cut signature', token.slice(0, -1)],
    ['nothing', ''],
    ['a long text', 'a'.repeat(100_000)],
    ['another secret', tokensOf(OLD).refreshToken(sessionId, 7)],
  ])('refuses %s', (_, forged) => {
    expect(tokensOf(NEW).readRefreshToken(forged)).toBeNull()
  })
  it('returns the same token for the same use', () => {
    expect(tokensOf(NEW).refreshToken(sessionId, 7)).toBe(token)
    expect(tokensOf(OLD, NEW).readRefreshToken(token)).toEqual({ sessionId, generation: 7 })
  })
})
