import type { JobCount } from '#contract/jobs.ts'
import { useText } from '#web/core/i18n.tsx'
import { DeskCell, DeskColumn, DeskRow, DeskTable } from '#web/moderation/desk/DeskTable.tsx'
import { useJobWord } from '#web/moderation/failures/job-words.ts'
import styles from '#web/moderation/desk/Desk.module.css'

const STATES = [
  ['ready', 'jobsReady'],
  ['running', 'jobsRunning'],
  ['later', 'jobsLater'],
  ['failed', 'jobsGivenUp'],
] as const

/** How many jobs of each kind there are, by state. */
export function JobCounts({ counts }: { readonly counts: readonly JobCount[] }) {
  const { t, formatNumber } = useText()
  const wordOf = useJobWord()
  if (counts.length === 0) return <p className="quiet">{t('jobsNone')}</p>
  return (
    <DeskTable
      label={t('jobsByState')}
      head={
        <>
          <DeskColumn kind="what">{t('jobsJob')}</DeskColumn>
          {STATES.map(([state, name]) => (
            <DeskColumn key={state} kind="number">
              {t(name)}
            </DeskColumn>
          ))}
        </>
      }
    >
      {counts.map((count) => (
        <DeskRow key={count.name}>
          <DeskCell kind="what">{wordOf(count.name)}</DeskCell>
          {STATES.map(([state, name]) => (
            <DeskCell key={state}>
              <span className={count[state] === 0 ? 'num quiet' : 'num'}>
                {/* On a phone the columns' names are gone. */}
                <span className={styles.columnName}>{t(name)} </span>
                {formatNumber(count[state])}
              </span>
            </DeskCell>
          ))}
        </DeskRow>
      ))}
    </DeskTable>
  )
}
