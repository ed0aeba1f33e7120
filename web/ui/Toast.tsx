import type { ReactNode } from 'react'
import { Coin } from '#web/ui/points/Coin.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import styles from '#web/ui/styles/Toast.module.css'

interface ToastProps {
  readonly kind: 'done' | 'points' | 'failed'
  readonly children: ReactNode
  readonly closeLabel: string
  readonly onClose: () => void
  /** Screen readers skip it, even in a live region. */
  readonly silent?: boolean | undefined
  /** A button, such as Undo. */
  readonly action?: ReactNode
}

/** The caller announces the message and times its removal. */
export function Toast({ kind, children, closeLabel, onClose, silent, action }: ToastProps) {
  return (
    <div data-toast className={styles.toast} aria-live={silent === true ? 'off' : undefined}>
      {kind === 'points' ? <Coin /> : <Icon name={kind === 'done' ? 'check' : 'warn'} />}
      <p>{children}</p>
      {action}
      <IconButton icon="x" label={closeLabel} onClick={onClose} />
    </div>
  )
}
