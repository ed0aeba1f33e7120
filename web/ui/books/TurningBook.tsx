import styles from './TurningBook.module.css'
import emptyStyles from '#web/ui/styles/Empty.module.css'

/** Two boards, two pages that lie still, three leaves that turn: one fetches one's own books. */
export function TurningBook({ label }: { readonly label: string }) {
  return (
    <div className={emptyStyles.empty} role="status">
      <div className={styles.turning} aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
        <i />
        <i />
        <i />
      </div>
      <p className="quiet">{label}</p>
    </div>
  )
}
