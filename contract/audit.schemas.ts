/** The result of the nightly audit, for administrators. */
import * as z from 'zod/mini'
import { audit as calls } from '#contract/audit.ts'
import { endpoints } from '#contract/endpoint.ts'
import { Instant } from '#contract/fields.schemas.ts'

export const AuditFinding = z.object({
  /** The rule that is broken, a code; an older version may have known others. */
  rule: z.string(),
  /** What that means, in English. */
  what: z.string(),
  /** How often it is broken. */
  count: z.number(),
  /** Some of what breaks it. */
  ids: z.array(z.string()),
})
export type AuditFinding = z.infer<typeof AuditFinding>

export const AuditGap = z.object({
  /** The rule that could not be looked at, a code. */
  rule: z.string(),
  /** Why, in English. */
  why: z.string(),
})
export type AuditGap = z.infer<typeof AuditGap>

export const AuditRun = z.object({
  began: Instant,
  /** Null while it is under way. */
  finished: z.nullable(Instant),
  /** Statements that are through, and milliseconds that they took. */
  steps: z.number(),
  spentMs: z.number(),
  findings: z.array(AuditFinding),
  unproved: z.array(AuditGap),
})
export type AuditRun = z.infer<typeof AuditRun>

const schemas = {
  last: {
    input: z.object({}),
    answer: z.object({
      /** The last one that came to its end, and the one under way; null where there is none. */
      last: z.nullable(AuditRun),
      underWay: z.nullable(AuditRun),
      /** Of the product. */
      version: z.string(),
    }),
    summary: 'What the nightly audit of the database and its files found',
  },
}
export type AuditSchemas = typeof schemas

/** The call with what judges it, as the server needs it. */
export const audit = endpoints(calls, schemas)
