import { ApiError } from '#web/core/api-error.ts'
import { type Sending, useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'
import { type Listed, type ListSelection, useSelection } from '#web/operate/desk/selection.ts'
import { DESK_WORDS, deleteAtDesk, type DeskKind, restoreAtDesk } from '#web/operate/desk/undo.ts'

export interface Desk extends ListSelection, Pick<Sending, 'busy' | 'failure'> {
  /** Deletes the items, or restores them in the view of deleted ones. */
  readonly act: (ids: readonly number[]) => Promise<void>
  /** Runs another step with the same busy and failure state. */
  readonly attempt: Sending['send']
}

/** Runs one step at a time and reloads the list after each. `deleted` is true in the view of deleted items. */
export function useDesk(kind: DeskKind, list: readonly Listed[], deleted: boolean): Desk {
  const { t } = useText()
  const reload = useReload()
  const selection = useSelection(list)
  const { busy, failure, send } = useSending()
  const restore = async (ids: readonly number[]) => {
    const { back, failed, why } = await restoreAtDesk(kind, ids, t)
    const words = DESK_WORDS[kind]
    selection.choose(failed)
    if (back > 0) toast(t(words.restored, { count: back }))
    await reload()
    if (failed.length > 0) {
      const text = t(words.restoredSome, { failed: failed.length, back, why })
      throw new ApiError({ status: 0, message: text })
    }
  }
  const remove = async (ids: readonly number[]) => {
    await deleteAtDesk(kind, ids)
    selection.choose([])
    await reload()
  }
  return {
    ...selection,
    busy,
    failure,
    act: (ids) => send(() => (deleted ? restore(ids) : remove(ids))),
    attempt: (step) =>
      send(async () => {
        await step()
        await reload()
      }),
  }
}
