/** What became of a draft that was sent. */
import { type Draft, DraftConflict } from '#contract/drafts.ts'
import { ApiError } from '#web/core/api-error.ts'

export type Outcome =
  | {
      readonly kind: 'stored'
      readonly version: number
      readonly savedAt: string
      readonly picture: 'sent' | 'later' | 'refused'
    }
  /** The draft has a newer version, or was ended. */
  | { readonly kind: 'newer'; readonly conflict: DraftConflict }
  | { readonly kind: 'refused'; readonly message: string }
  /** The server was not reached, or the session has ended. */
  | { readonly kind: 'away' }

export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof ApiError)) return { kind: 'away' }
  const { status, message, body } = error
  const conflict = status === 409 ? DraftConflict.safeParse(body).data : undefined
  if (conflict !== undefined) return { kind: 'newer', conflict }
  const isAway = status === 0 || status === 401 || status === 429 || status >= 500
  return isAway ? { kind: 'away' } : { kind: 'refused', message }
}

/** True if the form with this id has saved the draft. Each device and tab that takes a draft gives it a new id. */
export const isWrittenBy = ({ values }: Draft, draftId: string): boolean =>
  draftId !== '' && values['draftId'] === draftId
