import { useText } from '#web/core/i18n.tsx'
import styles from './Header.module.css'

/** So many messages wait; nothing when there are none. */
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
