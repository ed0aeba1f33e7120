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
  /** Not read out, though it stands in a region that is. */
  readonly silent?: boolean | undefined
  /** Undo. */
  readonly action?: ReactNode
}

/** A passing line; whoever shows it announces it and counts its seconds. */
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
