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

/** Kinds of jobs with something in the queue. The others are only named. */
export function JobCounts({ counts }: { readonly counts: readonly JobCount[] }) {
  const { t } = useText()
  const wordOf = useJobWord()
  const active = counts.filter((count) => STATES.some(([state]) => count[state] > 0))
  const idle = counts.filter((count) => !active.includes(count))
  return (
    <>
      {active.length === 0 ? (
        <p className="quiet">{t('jobsNone')}</p>
      ) : (
        <CountTable counts={active} />
      )}
      {idle.length > 0 && (
        <details className={styles.deskMore}>
          <summary>{t('jobsIdle', { count: idle.length })}</summary>
          <ul>
            {idle.map(({ name }) => (
              <li key={name}>{wordOf(name)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function CountTable({ counts }: { readonly counts: readonly JobCount[] }) {
  const { t, formatNumber } = useText()
  const wordOf = useJobWord()
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
