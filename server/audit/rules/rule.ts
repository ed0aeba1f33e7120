/** What a rule of the audit is: one statement that finds only what is wrong. */
import type { RawBuilder } from 'kysely'
import type { AuditRule } from '#contract/audit.ts'

export interface Rule {
  readonly name: AuditRule
  /** Where one rule is proved by several statements: which of them this is. */
  readonly part?: string
  /** What it means when something is found: a sentence for who runs the installation. */
  readonly what: string
  /** Rows that break the rule; `id` says in a few words which thing it is. */
  readonly wrong: RawBuilder<{ id: string }>
}

/** How a rule, or the part of one, is called in lists of what is through. */
export function stepName({ name, part }: Pick<Rule, 'name' | 'part'>): string {
  return part === undefined ? name : `${name} ${part}`
}
