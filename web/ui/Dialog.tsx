import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import styles from '#web/ui/styles/Dialog.module.css'

interface DialogProps {
  /** Default: true. Typed text survives closing only while the dialog stays mounted. */
  readonly open?: boolean | undefined
  readonly onClose: () => void
  readonly title: string
  /** A highlighted header, for dialogs about points only. */
  readonly head?: ReactNode
  readonly children: ReactNode
  /** Buttons: the main action first, then the one that closes. */
  readonly actions: ReactNode
}

/** A native modal dialog, which traps and restores the focus and closes on Escape. */
export function Dialog({ open = true, onClose, title, head, children, actions }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = box.current
    if (open && !dialog?.open) dialog?.showModal()
    if (!open && dialog?.open) dialog.close()
  }, [open])
  // The browser restores the focus only if the dialog is closed before it is removed.
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
        // The event is asynchronous, so the dialog may be unmounted or open again.
        if (box.current?.open === false) onClose()
      }}
      onClick={(event) => {
        // The content fills the dialog, so a click on the element itself is on its backdrop.
        if (event.target === event.currentTarget) event.currentTarget.close()
      }}
    >
      {/* The spaces separate words in copied text and for programs that ignore layout. */}
      {head !== undefined && <header>{head}</header>}{' '}
      <div className={styles.in}>
        <h2 id={titleId}>{title}</h2> {children} <div className={styles.acts}>{actions}</div>
      </div>
    </dialog>
  )
}
