import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { connect } from '#server/platform/db/connect.ts'
import { examineRole } from '#server/operate/doctor/role.ts'
import { createLog } from '#server/kernel/log.ts'
import { createTestDatabase } from '#server/testing/database.ts'

/** Roles belong to the whole server, which other tests use too, so the name is random. */
const role = `doctor_${randomBytes(6).toString('hex')}`
const connection = await createTestDatabase()
const superuser = new pg.Client(connection)
await superuser.connect()
await superuser.query(`create role ${role} login`)
afterAll(async () => {
  await superuser.query(`drop role ${role}`)
  await superuser.end()
})

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
  ['createrole', 'can create roles'],
  ['createdb', 'can create databases'],
  ['replication', 'can replicate the whole server'],
])('a role with %s is reported', async (right, says) => {
  await superuser.query(`alter role ${role} ${right}`)
  const found = await examineAs(role)
  await superuser.query(`alter role ${role} no${right}`)
  expect(found).toMatchObject({ state: 'note', says: expect.stringContaining(`${role} ${says},`) })
})

test.each([
  ['pg_read_server_files', 'reads files of the server'],
  ['pg_write_server_files', 'writes files of the server'],
  ['pg_execute_server_program', 'runs programs on the server'],
])('a member of %s is reported', async (group, says) => {
  await superuser.query(`grant ${group} to ${role}`)
  const found = await examineAs(role)
  await superuser.query(`revoke ${group} from ${role}`)
  expect(found).toMatchObject({ state: 'note', says: expect.stringContaining(`${role} ${says},`) })
})

test('a role without further privileges passes', async () => {
  expect(await examineAs(role)).toMatchObject({ part: 'role', state: 'ok' })
})
