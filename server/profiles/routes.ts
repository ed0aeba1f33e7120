/** People over HTTP: profiles, and the edit of one's own. */
import type { Tokens } from '#server/accounts/tokens.ts'
import type { Db } from '#server/db/connect.ts'
import type { StorePicture } from '#server/files/pictures.ts'
import type { Route } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'

export interface ProfileNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly tokens: Tokens
  readonly publicUrl: string
  readonly storePicture: StorePicture
  /** Called after a name or picture changed: it stands on every card and page of the person. */
  readonly onRename: () => void
}

export function profileRoutes(_needs: ProfileNeeds): Route[] {
  return []
}
