import type { Person } from '#contract/render.ts'
import type { FlagKind } from '#contract/flags.ts'

export interface ReportSubject {
  readonly kind: FlagKind
  /** The user's id for a profile. */
  readonly id: number | string
  /** The title, text or name, which the dialog quotes. */
  readonly name: string
}

/** Administrators act directly instead, and suspended people may not write. */
export const mayReport = (person: Person, owner: string): boolean =>
  person._id !== owner && person.role !== 'administrator' && person.suspended !== true
