/** A rule of the audit is one statement that returns only violations. */
import type { RawBuilder } from 'kysely'
import type { AuditRule } from '#contract/audit.ts'

export interface Rule {
  readonly name: AuditRule
  /** Name of this part, if several statements check the rule. */
  readonly part?: string
  /** Explains a finding to the operator in a sentence. */
  readonly what: string
  /** Rows that break the rule; `id` identifies the thing in a few words. */
  readonly wrong: RawBuilder<{ id: string }>
}

/** The name of a rule, or of its part, in the list of finished steps. */
export function stepName({ name, part }: Pick<Rule, 'name' | 'part'>): string {
  return part === undefined ? name : `${name} ${part}`
}
