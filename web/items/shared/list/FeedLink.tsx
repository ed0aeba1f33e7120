import { useText } from '#web/core/i18n.tsx'

/** A plain link, because the feed is not one of the router's pages. */
export function FeedLink({ href }: { readonly href: string }) {
  const { t } = useText()
  return (
    <a className="quiet" type="application/atom+xml" href={href}>
      {t('feed')}
    </a>
  )
}
