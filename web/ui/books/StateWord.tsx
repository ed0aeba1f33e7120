import { Icon, type IconName } from '#web/ui/Icon.tsx'
import styles from './Book.module.css'

interface StateWordProps {
  readonly icon?: IconName | undefined
  readonly children: string
}

/** The state as text, because screen readers do not see the book's shape. */
export function StateWord({ icon, children }: StateWordProps) {
  return (
    <span className={styles.state}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  )
}
