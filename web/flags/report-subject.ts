import type { Person } from '#contract/render.ts'
import type { FlagKind } from '#contract/flags.ts'

/** What is reported. */
export interface ReportSubject {
  readonly kind: FlagKind
  /** Of a profile the user's id. */
  readonly id: number | string
  /** The title, the text, or the person's name: what one reports is shown once more. */
  readonly name: string
}

/** Nobody reports what is their own, and administrators see to it themselves; the suspended write nothing. */
export const mayReport = (person: Person, owner: string): boolean =>
  person._id !== owner && person.role !== 'administrator' && person.suspended !== true
