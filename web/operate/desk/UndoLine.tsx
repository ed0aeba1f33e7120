import { useState } from 'react'
import { UNDO_DAYS } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'
import {
  DESK_WORDS,
  forgetDeletions,
  lastDeletion,
  undoDeletion,
  useLastDeletion,
} from '#web/operate/desk/undo.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import styles from './Desk.module.css'
import toastStyles from '#web/ui/styles/Toast.module.css'

/** Undoes the last deletion and reports the result. Does nothing if there is none. */
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

interface UndoToastProps {
  readonly label: string
  /** Null if there is nothing to undo. */
  readonly words: string | null
  readonly icon: IconName
  /** Label of the button. Default: "Undo". */
  readonly step?: string | undefined
  readonly busy: boolean
  /** The keyboard shortcut. */
  readonly shortcut?: string | undefined
  readonly onUndo: () => Promise<void>
  readonly onClose: () => void
}

/** Shows the last action at the foot of the page until it is undone or closed. */
export function UndoToast(props: UndoToastProps) {
  const { label, words, icon, step, busy, shortcut, onUndo, onClose } = props
  const { t } = useText()
  const leave = (act: () => void | Promise<void>) => {
    // The button disappears, so keyboard users would lose their place.
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
    void act()
  }
  return (
    <section className={styles.undoLine} aria-label={label} role="status">
      {words !== null && (
        <div className={toastStyles.toast}>
          <Icon name={icon} />
          <p>{words}</p>
          <Button
            kind="bare"
            busy={busy}
            aria-keyshortcuts={shortcut}
            onClick={() => leave(onUndo)}
          >
            {step ?? t('undo')}
          </Button>
          <IconButton icon="x" label={t('close')} onClick={() => leave(onClose)} />
        </div>
      )}
    </section>
  )
}

export function UndoLine() {
  const { t } = useText()
  const deletion = useLastDeletion()
  const { undo, busy } = useUndo()
  const words = () => {
    if (deletion === null) return null
    const { kind, ids, failed } = deletion
    return failed === null
      ? t(DESK_WORDS[kind].deleted, { count: ids.length, days: UNDO_DAYS })
      : t(DESK_WORDS[kind].restoredSome, { failed: ids.length, back: failed.back, why: failed.why })
  }
  const hasFailed = deletion !== null && deletion.failed !== null
  return (
    <UndoToast
      label={t('deskUndoLabel')}
      words={words()}
      icon={hasFailed ? 'warn' : 'bin'}
      step={hasFailed ? t('tryAgain') : undefined}
      busy={busy}
      shortcut="U"
      onUndo={undo}
      onClose={forgetDeletions}
    />
  )
}
