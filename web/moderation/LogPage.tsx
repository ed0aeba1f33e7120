import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { TurnLinks } from '#web/items/list/PageLinks.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { DeskColumn, DeskTable } from '#web/moderation/desk/DeskTable.tsx'
import { DeskFoot } from '#web/moderation/desk/DeskFoot.tsx'
import { DeskTabs } from '#web/moderation/desk/DeskTabs.tsx'
import type { loader } from '#web/moderation/LogPage.data.ts'
import { LogRow } from '#web/moderation/LogRow.tsx'
import { findReversible } from '#web/moderation/reversible.ts'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'

/** Who did what, newest first. */
export default function LogPage() {
  const { entries, page, counts, now } = usePageData<typeof loader>()
  const { t } = useText()
  const waits = useSlowWait(to.log())
  const reversible = findReversible(entries, now)
  return (
    <>
      <DeskTabs here="log" counts={counts} />
      <Head title={t('deskLog')} as="h1" />
      {waits && <RowSkeleton label={t('logLoading')} />}
      {!waits && entries.length === 0 && (
        <Empty
          drawing="tray"
          title={t(page > 1 ? 'deskNoSuchPage' : 'logNone')}
          step={
            page > 1 && (
              <ButtonLink as={Link} to={to.log()}>
                {t('deskFirstPage')}
              </ButtonLink>
            )
          }
        />
      )}
      {!waits && entries.length > 0 && (
        <DeskTable
          label={t('deskLog')}
          head={
            <>
              <DeskColumn kind="what">{t('logWhat')}</DeskColumn>
              <DeskColumn>{t('reason')}</DeskColumn>
              <DeskColumn kind="time">{t('logWhen')}</DeskColumn>
              <DeskColumn kind="acts">
                <span className="sr">{t('deskActs')}</span>
              </DeskColumn>
            </>
          }
        >
          {entries.map((entry) => (
            <LogRow key={entry.id} entry={entry} reversible={reversible.has(entry.id)} />
          ))}
        </DeskTable>
      )}
      <TurnLinks page={page} more={entries.length === ROWS_PER_PAGE} href={to.log} />
      <DeskFoot counts={counts} />
    </>
  )
}
