import { type ReactNode, useEffect, useId, useRef } from 'react'
import styles from '#web/ui/styles/Dialog.module.css'

interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  /** The saffron head: only when points move. */
  readonly head?: ReactNode
  readonly children: ReactNode
  /** Buttons: the step first, then the way out. */
  readonly actions: ReactNode
}

/** The browser's own modal: it traps the focus, gives it back and closes with Escape by itself. */
export function Dialog({ open, onClose, title, head, children, actions }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = box.current
    if (open && !dialog?.open) dialog?.showModal()
    if (!open && dialog?.open) dialog.close()
  }, [open])
  return (
    <dialog
      className={styles.dialog}
      aria-labelledby={titleId}
      ref={box}
      onClose={onClose}
      onClick={(event) => {
        // A press on the dialog itself is a press on its backdrop: its content fills it.
        if (event.target === event.currentTarget) event.currentTarget.close()
      }}
    >
      {/* The spaces part the words where no layout does: in what is copied, and in what programs read. */}
      {head !== undefined && <header>{head}</header>}{' '}
      <div className={styles.in}>
        <h2 id={titleId}>{title}</h2> {children} <div className={styles.acts}>{actions}</div>
      </div>
    </dialog>
  )
}
