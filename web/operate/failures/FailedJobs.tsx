import { jobs, type FailedJob } from '#contract/jobs.ts'
import { useText } from '#web/core/i18n.tsx'
import { Time } from '#web/core/time/Time.tsx'
import { DeskTable } from '#web/operate/desk/DeskTable.tsx'
import type { ListSelection } from '#web/operate/desk/selection.ts'
import { FailureList } from '#web/operate/failures/FailureList.tsx'
import { useJobWord } from '#web/operate/failures/job-words.ts'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/operate/desk/Desk.module.css'

interface FailedJobsProps {
  readonly jobs: readonly FailedJob[]
  readonly selection: ListSelection
}

export function FailedJobs({ jobs: failed, selection }: FailedJobsProps) {
  const { t, formatNumber } = useText()
  const wordOf = useJobWord()
  return (
    <FailureList
      selection={selection}
      retry={{
        call: jobs.retry,
        label: t('jobsRetry'),
        done: (count) => t('jobsRetried', { count }),
      }}
      drop={{
        call: jobs.drop,
        label: t('jobsDrop'),
        done: (count) => t('jobsDropped', { count }),
      }}
      question={{ title: (count) => t('jobsDropTitle', { count }), text: t('jobsDropWhat') }}
    >
      <DeskTable
        label={t('jobsFailed')}
        rows={failed}
        keyOf={({ id }) => id}
        selection={selection}
        tickOf={({ id, name }) => t('jobsSelect', { name: wordOf(name), id })}
        columns={[
          {
            name: t('jobsJob'),
            kind: 'what',
            cell: ({ name, payload, lastError }) => (
              <details>
                <summary>
                  {wordOf(name)}{' '}
                  <span className="quiet num">{payload === '{}' ? '' : payload}</span>
                </summary>
                <p lang="en">{lastError}</p>
              </details>
            ),
          },
          {
            name: t('jobsAttempts'),
            kind: 'number',
            cell: ({ attempts, maxAttempts }) => (
              <>
                <span className={classes('quiet', styles.columnName)}>{t('jobsAttempts')} </span>
                <span className="num">
                  {t('jobsAttemptsOf', {
                    attempts: formatNumber(attempts),
                    most: formatNumber(maxAttempts),
                  })}
                </span>
              </>
            ),
          },
          {
            name: t('jobsLast'),
            kind: 'time',
            cell: ({ date }) => (
              <>
                <span className={classes('quiet', styles.columnName)}>{t('jobsLast')} </span>
                <Time date={date} form="moment" />
              </>
            ),
          },
          { name: t('jobsNext'), kind: 'time', cell: (job) => <NextTry job={job} /> },
        ]}
      />
    </FailureList>
  )
}

function NextTry({ job: { next, running } }: { readonly job: FailedJob }) {
  const { t } = useText()
  return (
    <>
      {next !== null && (
        <span className={classes('quiet', styles.columnName)}>{t('jobsNext')} </span>
      )}
      {running && t('jobsTriedNow')}
      {!running && (next === null ? <b>{t('jobsGivenUp')}</b> : <Time date={next} form="moment" />)}
    </>
  )
}
