import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Session } from '#contract/accounts.ts'
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
async function admin(...words: string[]) {
  const { host = '', port, user, database } = app.app.database.pool.options
  const url = `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`
  const environment = { ...process.env, DATABASE_URL: url, AUTH_SECRETS: 'x'.repeat(32) }
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

  it('are made and unmade by the command alone', async () => {
    expect(await roleOf(elena)).toBe('user')
    expect(await admin('grant', 'ELENA')).toEqual({
      stdout: 'Elena is an administrator now.\n',
      stderr: '',
    })
    expect(await roleOf(elena)).toBe('administrator')
    expect((await admin('revoke', 'elena')).stdout).toBe('Elena is no administrator now.\n')
    expect(await roleOf(elena)).toBe('user')
  })
})

describe('a link to a new password', () => {
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
