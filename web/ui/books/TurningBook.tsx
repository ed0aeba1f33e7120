import styles from './TurningBook.module.css'
import emptyStyles from '#web/ui/styles/Empty.module.css'

/** A loading animation. Its elements are two covers, two still pages and three turning ones. */
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
