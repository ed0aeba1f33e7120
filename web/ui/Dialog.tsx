import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import styles from '#web/ui/styles/Dialog.module.css'

interface DialogProps {
  /** True unless given. What is typed in a dialog survives its closing only while the dialog stays mounted. */
  readonly open?: boolean | undefined
  readonly onClose: () => void
  readonly title: string
  /** The saffron head: only when points move. */
  readonly head?: ReactNode
  readonly children: ReactNode
  /** Buttons: the step first, then the way out. */
  readonly actions: ReactNode
}

/** The browser's own modal: it traps the focus, gives it back and closes with Escape by itself. */
export function Dialog({ open = true, onClose, title, head, children, actions }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = box.current
    if (open && !dialog?.open) dialog?.showModal()
    if (!open && dialog?.open) dialog.close()
  }, [open])
  // A dialog that is removed gives the focus back only if it was closed before.
  useLayoutEffect(() => {
    const dialog = box.current
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      className={styles.dialog}
      aria-labelledby={titleId}
      ref={box}
      onClose={() => {
        // The event comes late: the dialog may be gone or open again.
        if (box.current?.open === false) onClose()
      }}
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
