import { useText } from '#web/core/i18n.tsx'
import styles from './Header.module.css'

/** Renders nothing when the count is 0. */
export function UnreadBadge({ count }: { readonly count: number }) {
  const { t, formatNumber } = useText()
  if (count === 0) return null
  return (
    <span className={styles.unread}>
      <span aria-hidden="true">{formatNumber(count)}</span>
      <span className="sr">{t('unreadCount', { count })}</span>
    </span>
  )
}
