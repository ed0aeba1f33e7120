import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import type { loader } from '#web/moderation/CommentsPage.data.ts'
import { DeskTabs } from '#web/moderation/DeskTabs.tsx'

export default function CommentsPage() {
  const { t } = useText()
  const { counts } = usePageData<typeof loader>()
  return (
    <>
      <DeskTabs here="comments" counts={counts} />
      <h1>{t('deskComments')}</h1>
    </>
  )
}
