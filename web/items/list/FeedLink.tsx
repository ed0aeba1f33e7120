import { useText } from '#web/core/i18n.tsx'

/** The way to the feed of what is new here. It is no page of ours, so the browser asks for it itself. */
export function FeedLink({ href }: { readonly href: string }) {
  const { t } = useText()
  return (
    <a className="quiet" type="application/atom+xml" href={href}>
      {t('feed')}
    </a>
  )
}
