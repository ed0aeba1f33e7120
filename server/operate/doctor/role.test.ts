import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, expect, test } from 'vitest'
import { connect } from '#server/platform/db/connect.ts'
import { examineRole } from '#server/operate/doctor/role.ts'
import { createLog } from '#server/kernel/log.ts'
import { createTestDatabase } from '#server/testing/database.ts'

/** Roles belong to the whole server, which other tests use too, so the name is random. */
const role = `doctor_${randomBytes(6).toString('hex')}`
const connection = await createTestDatabase()
const superuser = new pg.Client(connection)
await superuser.connect()
afterEach(() => superuser.query(`drop role if exists ${role}`))
afterAll(() => superuser.end())

async function examineAs(user: string | undefined) {
  const connected = connect({ ...connection, user }, createLog('silent'), { size: 1 })
  return examineRole(connected.db).finally(() => connected.close())
}

test('a superuser is reported', async () => {
  expect(await examineAs(connection.user)).toMatchObject({
    state: 'note',
    says: expect.stringMatching(/^\w+ is a superuser, which the site does not need/),
  })
})

test.each([
  ['alter role ROLE createrole', 'can create roles'],
  ['alter role ROLE createdb', 'can create databases'],
  ['alter role ROLE replication', 'can replicate the whole server'],
  ['grant pg_read_server_files to ROLE', 'reads files of the server'],
  ['grant pg_write_server_files to ROLE', 'writes files of the server'],
  ['grant pg_execute_server_program to ROLE', 'runs programs on the server'],
])('a role after “%s” is reported', async (statement, says) => {
  await superuser.query(`create role ${role} login; ${statement.replace('ROLE', role)}`)
  const found = await examineAs(role)
  expect(found).toMatchObject({ state: 'note', says: expect.stringContaining(`${role} ${says},`) })
})

test('a role without further privileges passes', async () => {
  await superuser.query(`create role ${role} login`)
  expect(await examineAs(role)).toMatchObject({ part: 'role', state: 'ok' })
})
