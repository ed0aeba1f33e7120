import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Session } from '#contract/accounts.schemas.ts'
import { noteAddress } from '#server/kernel/process/running.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'

const run = promisify(execFile)
let app: TestApp
let elena: Person
beforeAll(async () => {
  app = await createTestApp()
  elena = await app.signUp('Elena')
})
afterAll(() => app.close())

/** `npm run admin -- …` on the database of the app. */
const admin = (...words: string[]) => adminIn({})(...words)

const adminIn =
  (more: Record<string, string>) =>
  async (...words: string[]) => {
    const { host = '', port, user, database } = app.app.database.pool.options
    const url = `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`
    const environment = { ...process.env, DATABASE_URL: url, AUTH_SECRETS: 'x'.repeat(32), ...more }
    return run(process.execPath, ['scripts/admin.ts', ...words], { env: environment }).catch(
      (error: { stderr: string }) => ({ stdout: '', stderr: error.stderr }),
    )
  }

async function roleOf(person: Person): Promise<string> {
  const json = { username: person.session.username, password: person.password }
  const { body } = await app.call<Session>('POST', '/identity/login', { json })
  return body.role
}

describe('administrators', () => {
  it('are not made of somebody unknown', async () => {
    expect((await admin('grant', 'nobody')).stderr).toBe('There is nobody called nobody.\n')
  })

  it('are made by the command alone', async () => {
    expect(await roleOf(elena)).toBe('user')
    expect(await admin('grant', 'ELENA')).toEqual({
      stdout: 'Elena is an administrator now.\n',
      stderr: '',
    })
    expect(await roleOf(elena)).toBe('administrator')
  })

  it('are not left without one, unless that is forced', async () => {
    const { stdout, stderr } = await admin('revoke', 'elena')
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^elena is the last administrator: .+ or add --force\.\n$/)
    expect(await roleOf(elena)).toBe('administrator')
    // One who is suspended can't do the work.
    const other = await app.signUp('Petar')
    await admin('grant', 'petar')
    await app.app.database.db
      .updateTable('users')
      .set({ suspended_at: new Date() })
      .where('id', '=', other.session._id)
      .execute()
    expect((await admin('revoke', 'elena')).stderr).toMatch(/--force/)
    expect((await admin('revoke', 'elena', '--force')).stdout).toBe(
      'Elena is no administrator now.\n',
    )
    expect(await roleOf(elena)).toBe('user')
  })

  it('are unmade by the command while there is another one', async () => {
    await app.signUp('Vera')
    await admin('grant', 'vera')
    await admin('grant', 'elena')
    expect((await admin('revoke', 'elena')).stdout).toBe('Elena is no administrator now.\n')
    expect(await roleOf(elena)).toBe('user')
    // Who is none already can be told so again.
    expect((await admin('revoke', 'elena')).stdout).toBe('Elena is no administrator now.\n')
  })
})

describe('a link to a new password', () => {
  it('begins with the address of the server that runs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kb-address-'))
    const forget = await noteAddress(folder, 'http://localhost:3007')
    const ask = (more: Record<string, string> = {}) => adminIn({ DATA_DIR: folder, ...more })
    expect((await ask()('reset', 'elena')).stdout).toMatch(/^http:\/\/localhost:3007\/password/)
    const given = ask({ PUBLIC_URL: 'https://bazaar.example' })
    expect((await given('reset', 'elena')).stdout).toMatch(/^https:\/\/bazaar\.example\/password/)
    await forget()
    expect((await ask()('reset', 'elena')).stdout).toMatch(/^http:\/\/localhost:3000\/password/)
    // Of a server that was killed the note stays, and counts no more.
    await writeFile(join(folder, 'address'), '4194305 http://localhost:3008\n')
    expect((await ask()('reset', 'elena')).stdout).toMatch(/^http:\/\/localhost:3000\/password/)
    await rm(folder, { recursive: true })
  })

  it('is not printed for somebody unknown', async () => {
    expect((await admin('reset', 'nobody')).stderr).toBe('There is nobody called nobody.\n')
  })

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
  it('is not taken from somebody unknown', async () => {
    const { stderr } = await admin('forget-factor', 'nobody')
    expect(stderr).toBe('There is nobody called nobody.\n')
  })

  it('goes by the command, with its recovery codes', async () => {
    const maria = await app.signUp('Maria')
    const { username } = maria.session
    const begun = await app.call<{ secret: string }>('POST', '/identity/factors/totp', {
      as: maria,
      json: { password: maria.password },
    })
    const code = new TOTP({ secret: Secret.fromBase32(begun.body.secret) }).generate()
    const finished = await app.call<{ recoveryCodes: string[] }>(
      'POST',
      '/identity/factors/totp/confirm',
      { as: maria, json: { code } },
    )
    const login = () =>
      app.call('POST', '/identity/login', { json: { username, password: maria.password } })
    expect((await login()).status).toBe(401)
    expect(await admin('forget-factor', 'maria')).toEqual({
      stdout: 'Maria signs in by the password alone now.\n',
      stderr: '',
    })
    expect((await login()).status).toBe(200)
    expect(finished.body.recoveryCodes).toHaveLength(10)
    const { rows } = await app.app.database.pool.query(
      'select hash from recovery_codes where user_id = $1',
      [maria.session._id],
    )
    expect(rows).toEqual([])
  })
})
