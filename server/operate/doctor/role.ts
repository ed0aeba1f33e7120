/**
 * Checks the privileges of the DATABASE_URL role beyond its work, because an attacker who takes over the site
 * would have them too.
 */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import { note, ok, type Finding } from '#server/operate/doctor/finding.ts'

/** Column or name in PostgreSQL, and its description. */
const RIGHTS = {
  rolsuper: 'is a superuser',
  rolcreaterole: 'can create roles',
  rolcreatedb: 'can create databases',
  rolreplication: 'can replicate the whole server',
  pg_read_server_files: 'reads files of the server',
  pg_write_server_files: 'writes files of the server',
  pg_execute_server_program: 'runs programs on the server',
} as const

/** For an external database. The embedded one has a single role that only its process can reach. */
export async function examineRole(db: Db): Promise<Finding> {
  const { rows } = await sql<{ name: string; rights: (keyof typeof RIGHTS)[] }>`
    select rolname::text as name, array_remove(array[
      case when rolsuper then 'rolsuper' end,
      case when rolcreaterole then 'rolcreaterole' end,
      case when rolcreatedb then 'rolcreatedb' end,
      case when rolreplication then 'rolreplication' end,
      case when pg_has_role(current_user, 'pg_read_server_files', 'member') then 'pg_read_server_files' end,
      case when pg_has_role(current_user, 'pg_write_server_files', 'member') then 'pg_write_server_files' end,
      case when pg_has_role(current_user, 'pg_execute_server_program', 'member') then 'pg_execute_server_program' end
    ], null) as rights from pg_roles where rolname = current_user`.execute(db)
  const { name = '', rights = [] } = rows[0] ?? {}
  if (rights.length === 0) return ok('role', `${name} may do nothing but its work`)
  // A superuser has all the other privileges.
  const named = rights[0] === 'rolsuper' ? rights.slice(0, 1) : rights
  return note(
    'role',
    `${name} ${named.map((right) => RIGHTS[right]).join(', ')}, which the site does not need and a burglar likes. Give it a role that owns its database and nothing else (docs/operations.md).`,
  )
}
