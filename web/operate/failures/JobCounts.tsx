import type { JobCount } from '#contract/jobs.ts'
import { useText } from '#web/core/i18n.tsx'
import { type DeskColumn, DeskTable } from '#web/operate/desk/DeskTable.tsx'
import { useJobWord } from '#web/operate/failures/job-words.ts'
import styles from '#web/operate/desk/Desk.module.css'

const STATES = [
  ['ready', 'jobsReady'],
  ['running', 'jobsRunning'],
  ['later', 'jobsLater'],
  ['failed', 'jobsGivenUp'],
] as const

export function JobCounts({ counts }: { readonly counts: readonly JobCount[] }) {
  const { t, formatNumber } = useText()
  const wordOf = useJobWord()
  if (counts.length === 0) return <p className="quiet">{t('jobsNone')}</p>
  return (
    <DeskTable
      label={t('jobsByState')}
      rows={counts}
      keyOf={({ name }) => name}
      columns={[
        { name: t('jobsJob'), kind: 'what', cell: ({ name }) => wordOf(name) },
        ...STATES.map(([state, name]): DeskColumn<JobCount> => ({
          name: t(name),
          kind: 'number',
          cell: (count) => (
            <span className={count[state] === 0 ? 'num quiet' : 'num'}>
              {/* On phones, the column heads are hidden. */}
              <span className={styles.columnName}>{t(name)} </span>
              {formatNumber(count[state])}
            </span>
          ),
        })),
      ]}
    />
  )
}
