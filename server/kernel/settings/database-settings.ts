import * as z from 'zod'
import { oneOf } from '#server/kernel/setting-kinds.ts'

const address = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
  .optional()

export const databaseVariables = {
  DATABASE_URL: [address, 'the embedded database', 'PostgreSQL 15 or newer'],
  DATABASE_DIRECT_URL: [
    address,
    'DATABASE_URL',
    'The same database past a pooler, for migrations and jobs',
  ],
  DATABASE_REPLICA_URL: [
    address,
    'none, all is read from DATABASE_URL',
    'A streaming replica of that server, for reads that may be a second old',
  ],
  DATABASE_PREPARE: [
    oneOf(['0', '1']).default('1'),
    '1',
    'Named statements; 0 only behind a pooler that loses them (PgBouncer before 1.21): each is planned anew then',
  ],
  NEWER_SCHEMA: [
    oneOf(['refused', 'accepted']).default('refused'),
    'refused',
    'accepted: this version may start on a database that the next version has migrated; npm run update sets it when it puts the former version back',
  ],
} as const satisfies Record<string, readonly [z.ZodType, string, string]>

/** Values that must not be printed. */
export const DATABASE_SECRETS = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL']
