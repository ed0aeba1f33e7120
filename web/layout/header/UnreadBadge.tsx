import { useText } from '#web/core/i18n.tsx'

/** So many messages wait; nothing when there are none. */
export function UnreadBadge({ count }: { readonly count: number }) {
  const { t, formatNumber } = useText()
  if (count === 0) return null
  return (
    <span className="unread">
      <span aria-hidden="true">{formatNumber(count)}</span>
      <span className="sr">{t('unreadCount', { count })}</span>
    </span>
  )
}
