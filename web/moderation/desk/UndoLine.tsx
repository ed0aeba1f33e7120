import { useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'
import {
  DESK_WORDS,
  forgetDeletions,
  lastDeletion,
  undoDeletion,
  useLastDeletion,
} from '#web/moderation/desk/undo.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import styles from './Desk.module.css'
import toastStyles from '#web/ui/styles/Toast.module.css'

/** Takes the last deletion back and shows what came of it; does nothing when there is none. */
export function useUndo(): { readonly undo: () => Promise<void>; readonly busy: boolean } {
  const { t } = useText()
  const reload = useReload()
  const [busy, setBusy] = useState(false)
  const undo = async () => {
    const deletion = lastDeletion()
    if (deletion === null || busy) return
    setBusy(true)
    const { back } = await undoDeletion(deletion, t)
    if (back > 0) {
      toast(t(DESK_WORDS[deletion.kind].restored, { count: back }))
      await reload()
    }
    setBusy(false)
  }
  return { undo, busy }
}

/** Says at the foot of every desk page what was deleted last, until it is taken back or closed. */
export function UndoLine() {
  const { t } = useText()
  const deletion = useLastDeletion()
  const { undo, busy } = useUndo()
  const leave = (step: () => void | Promise<void>) => {
    // The button goes with the line; whoever pressed it by key would be left nowhere.
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
    void step()
  }
  const words = () => {
    if (deletion === null) return null
    const { kind, ids, failed } = deletion
    return failed === null
      ? t(DESK_WORDS[kind].deleted, { count: ids.length })
      : t(DESK_WORDS[kind].restoredSome, { failed: ids.length, back: failed.back, why: failed.why })
  }
  return (
    <section className={styles.undoLine} aria-label={t('deskUndoLabel')} role="status">
      {deletion !== null && (
        <div className={toastStyles.toast}>
          <Icon name={deletion.failed === null ? 'bin' : 'warn'} />
          <p>{words()}</p>
          <Button kind="bare" busy={busy} aria-keyshortcuts="U" onClick={() => leave(undo)}>
            {t(deletion.failed === null ? 'undo' : 'tryAgain')}
          </Button>
          <IconButton icon="x" label={t('close')} onClick={() => leave(forgetDeletions)} />
        </div>
      )}
    </section>
  )
}
