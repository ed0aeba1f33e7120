/**
 * The personal data that a folder stores, declared in its `personal.ts` and listed in server/operate/exports/personal-data.ts. The
 * export of a person, the erasure of an account and a test (server/operate/removal/registries.test.ts) read these
 * declarations.
 */
import type { RawBuilder } from 'kysely'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { Core } from '#server/platform/core/core.ts'

/** `id` is unique among the person's rows and increases. */
export interface ExportedRow {
  readonly id: number
  readonly [column: string]: unknown
}

/** Selects rows of the person `of` after the id `after`, without order and limit: they are read in batches. */
export type ExportedPart = (of: string, after: number) => RawBuilder<ExportedRow>

/** Reasons why a column is left as it is, by `table.column`; only for the folder's own tables. */
export type Reasons = Readonly<Record<string, string>>

export interface PersonalData {
  /** Lists of the person's export by name. */
  readonly exported?: Readonly<Record<string, ExportedPart>>
  /** Rows that are read at once, for lists with large rows; 100 for the others. */
  readonly batches?: Readonly<Record<string, number>>
  /** Names of the lists on the page of the export. */
  readonly labels?: Readonly<Record<string, MessageKey>>
  /**
   * Removes what must not outlive the account, after the account is closed and its items are removed. Must be
   * idempotent and safe to run twice at once, because the job that calls it may be interrupted anywhere.
   */
  readonly erase?: (core: Pick<Core, 'db' | 'storage'>, userId: string) => Promise<void>
  /** Columns that refer to a person and that `erase` leaves as they are. */
  readonly stays?: Reasons
  /** Columns that refer to a person and that the export doesn't read. */
  readonly notExported?: Reasons
}

const NAMELESS = 'their person has neither name nor address any more'

/** Reasons that several folders share. */
export const WHY = {
  nameless: NAMELESS,
  books: `the books balance only with every line; ${NAMELESS}`,
  othersHold: `what others hold, read or were sent stays as a former member's; ${NAMELESS}`,
  duty: `what an administrator did stays accountable; ${NAMELESS}`,
  ofAnother: `the row is what another person did; ${NAMELESS}`,
  shortLived: 'an hour or a few days long, then a sweep clears it, whoever it was',
  folded: 'a spelling for searches of what the export has as it was written',
  ofOthers: 'what another person did; the export holds what one did oneself',
  workings: 'of the workings: it says nothing that the export does not have elsewhere',
  administrators: 'the work of administrators; the log of it is theirs',
} as const
