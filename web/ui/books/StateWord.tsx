import { Icon, type IconName } from '#web/ui/Icon.tsx'
import styles from './Book.module.css'

interface StateWordProps {
  readonly icon?: IconName | undefined
  readonly children: string
}

/** The word of a state ("Owned", "Yours", "8 lessons"): the shape of a book alone says nothing to readers. */
export function StateWord({ icon, children }: StateWordProps) {
  return (
    <span className={styles.state}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  )
}
