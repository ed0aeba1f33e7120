import { describe, expect, it } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { runAdmin } from '#server/testing/commands/admin.ts'
import type { Person } from '#server/testing/app.ts'
import { setUser } from '#server/testing/rows.ts'
import { armTotp } from '#server/testing/sign-in/totp.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp()
const elena = await app.signUp('Elena')

/** Runs `npm run admin -- …` on the database of the app. */
const admin = (...words: string[]) => runAdmin(app, words)

const make = async (name: string) => {
  await setRole(app.app.database.db, name, 'administrator')
}

async function roleOf(person: Person): Promise<string> {
  const json = { username: person.session.username, password: person.password }
  const { body } = await app.call<Session>('POST', '/identity/login', { json })
  return body.role
}

describe('administrators', () => {
  it('are made by the command alone', async () => {
    expect(await roleOf(elena)).toBe('user')
    expect(await admin('grant', 'ELENA')).toEqual({
      stdout: 'Elena is an administrator now.\n',
      stderr: '',
    })
    expect(await roleOf(elena)).toBe('administrator')
  })

  it('cannot lose the last one, unless forced', async () => {
    const { stdout, stderr } = await admin('revoke', 'elena')
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^elena is the last administrator: .+ or add --force\.\n$/)
    expect(await roleOf(elena)).toBe('administrator')
    // A suspended administrator can't do the work.
    const other = await app.signUp('Petar')
    await make('petar')
    await setUser(app, other, { suspended_at: new Date() })
    expect((await admin('revoke', 'elena')).stderr).toMatch(/--force/)
    expect((await admin('revoke', 'elena', '--force')).stdout).toBe(
      'Elena is no administrator now.\n',
    )
    expect(await roleOf(elena)).toBe('user')
  })

  it('lose the role by the command while there is another one', async () => {
    await app.signUp('Vera')
    await make('vera')
    await make('elena')
    expect((await admin('revoke', 'elena')).stdout).toBe('Elena is no administrator now.\n')
    expect(await roleOf(elena)).toBe('user')
    // Revoking the role again is no error.
    expect((await admin('revoke', 'elena')).stdout).toBe('Elena is no administrator now.\n')
  })
})

describe('a link to a new password', () => {
  it('is printed where there is no mail, and works once', async () => {
    const { stdout, stderr } = await admin('reset', 'ELENA')
    const [, token = ''] =
      /^http:\/\/localhost:3000\/password\/reset\?token=(.+)\n$/.exec(stdout) ?? []
    expect([stderr, token.length]).toEqual(['', 43])
    const json = { token, password: 'a new secret 2' }
    expect((await app.call('POST', '/identity/password/reset', { json })).status).toBe(204)
    expect((await app.call('POST', '/identity/password/reset', { json })).status).toBe(400)
    expect(await roleOf({ ...elena, password: json.password })).toBe('user')
  })
})

describe('the second factor of somebody who lost it', () => {
  it('goes by the command, with its recovery codes', async () => {
    const maria = await app.signUp('Maria')
    const { username } = maria.session
    const { codes } = await armTotp(app, maria)
    const login = () =>
      app.call('POST', '/identity/login', { json: { username, password: maria.password } })
    expect((await login()).status).toBe(401)
    expect(await admin('forget-factor', 'maria')).toEqual({
      stdout: 'Maria signs in by the password alone now.\n',
      stderr: '',
    })
    expect((await login()).status).toBe(200)
    expect(codes).toHaveLength(10)
    const { rows } = await app.app.database.pool.query(
      'select hash from recovery_codes where user_id = $1',
      [maria.session._id],
    )
    expect(rows).toEqual([])
  })
})
