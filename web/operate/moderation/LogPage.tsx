import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { DeskRows } from '#web/operate/desk/DeskRows.tsx'
import type { loader } from '#web/operate/moderation/LogPage.data.ts'
import { LogTable } from '#web/operate/moderation/LogTable.tsx'
import { Empty } from '#web/ui/Empty.tsx'

export default function LogPage() {
  const { entries, page, counts, now } = usePageData<typeof loader>()
  const { t } = useText()
  return (
    <DeskPage here="log" title={t('deskLog')} counts={counts}>
      <DeskRows
        path={to.log()}
        count={entries.length}
        page={page}
        href={to.log}
        loading={t('logLoading')}
        nothing={<Empty drawing="tray" title={t('logNone')} />}
      >
        <LogTable entries={entries} now={now} />
      </DeskRows>
    </DeskPage>
  )
}
