import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { DeskRows } from '#web/operate/desk/DeskRows.tsx'
import { DeskTable } from '#web/operate/desk/DeskTable.tsx'
import type { loader } from '#web/operate/moderation/LogPage.data.ts'
import { LogSentence, LogUndo } from '#web/operate/moderation/LogSentence.tsx'
import { findReversible } from '#web/operate/moderation/reversible.ts'
import { Empty } from '#web/ui/Empty.tsx'

export default function LogPage() {
  const { entries, page, counts, now } = usePageData<typeof loader>()
  const { t } = useText()
  const reversible = findReversible(entries, now)
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
        <DeskTable
          label={t('deskLog')}
          rows={entries}
          keyOf={({ id }) => id}
          columns={[
            { name: t('logWhat'), kind: 'what', cell: (entry) => <LogSentence entry={entry} /> },
            {
              name: t('reason'),
              cell: ({ reason }) =>
                reason !== null && (
                  <span lang={textLanguage(reason)} dir="auto">
                    {reason}
                  </span>
                ),
            },
            {
              name: t('logWhen'),
              kind: 'time',
              cell: ({ date }) => <Time date={date} form="moment" />,
            },
            {
              name: t('deskActs'),
              kind: 'acts',
              cell: (entry) => reversible.has(entry.id) && <LogUndo entry={entry} />,
            },
          ]}
        />
      </DeskRows>
    </DeskPage>
  )
}
