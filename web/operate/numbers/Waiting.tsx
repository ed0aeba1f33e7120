import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import type { DeskCounts } from '#web/operate/desk/desk-counts.ts'
import { listWaiting } from '#web/operate/desk/desk-tabs.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './Numbers.module.css'

/** What waits for an administrator, with links. */
export function Waiting({ counts }: { readonly counts: DeskCounts }) {
  const { t, formatNumber } = useText()
  const waiting = listWaiting(counts)
  if (waiting.length === 0) {
    return (
      <p className={styles.nothing}>
        <Icon name="check" />
        {t('numbersNothingWaits')}
      </p>
    )
  }
  return (
    <ul className={styles.waiting} aria-label={t('numbersWaits')}>
      {waiting.map(({ tab: { id, path, name }, count }) => (
        <li key={id}>
          <Link to={path}>
            <b className="num">{formatNumber(count)}</b> {t(name)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
