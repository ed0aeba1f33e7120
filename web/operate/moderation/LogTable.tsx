import type { LogEntry } from '#contract/moderation.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { DeskTable } from '#web/operate/desk/DeskTable.tsx'
import { LogSentence, LogUndo } from '#web/operate/moderation/LogSentence.tsx'
import { findReversible } from '#web/operate/moderation/reversible.ts'

interface LogTableProps {
  readonly entries: readonly LogEntry[]
  /** Server time of the data in ms. */
  readonly now: number
}

export function LogTable({ entries, now }: LogTableProps) {
  const { t } = useText()
  const reversible = findReversible(entries, now)
  return (
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
  )
}
