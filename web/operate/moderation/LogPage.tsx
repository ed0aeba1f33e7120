import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { DeskNothing } from '#web/operate/desk/DeskNothing.tsx'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { DeskRows } from '#web/operate/desk/DeskRows.tsx'
import type { loader } from '#web/operate/moderation/LogPage.data.ts'
import { LogFilters } from '#web/operate/moderation/LogFilters.tsx'
import { LogTable } from '#web/operate/moderation/LogTable.tsx'

export default function LogPage() {
  const { query, entries, administrators, counts, now } = usePageData<typeof loader>()
  const { t } = useText()
  const { page = 1, search, actor, about } = query
  const href = (number?: number) => to.log({ search, actor, about, page: number })
  return (
    <DeskPage here="log" title={t('deskLog')} counts={counts}>
      <LogFilters query={query} administrators={administrators} />
      <DeskRows
        path={to.log()}
        count={entries.length}
        page={page}
        href={href}
        loading={t('logLoading')}
        nothing={
          <DeskNothing isFiltered={href() !== to.log()} all={to.log()} title={t('logNone')} />
        }
      >
        <LogTable entries={entries} now={now} />
      </DeskRows>
    </DeskPage>
  )
}
