import { jobs, type FailedJob } from '#contract/jobs.ts'
import { useText } from '#web/core/i18n.tsx'
import { Time } from '#web/core/time/Time.tsx'
import { DeskCell, DeskColumn, DeskRow, DeskTable } from '#web/moderation/desk/DeskTable.tsx'
import { FailureList } from '#web/moderation/failures/FailureList.tsx'
import { useJobWord } from '#web/moderation/failures/job-words.ts'
import { SelectAll, type Selection, SelectOne } from '#web/moderation/failures/SelectColumn.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/moderation/desk/Desk.module.css'

interface FailedJobsProps {
  readonly jobs: readonly FailedJob[]
  /** Something is selected or asked: the list must not move away. */
  readonly onActing: (acting: boolean) => void
}

/** Jobs that failed, and will be tried again or not. */
export function FailedJobs({ jobs: failed, onActing }: FailedJobsProps) {
  const { t } = useText()
  return (
    <FailureList
      items={failed}
      onActing={onActing}
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
      {(selection) => (
        <DeskTable
          label={t('jobsFailed')}
          head={
            <>
              <SelectAll selection={selection} items={failed} />
              <DeskColumn kind="what">{t('jobsJob')}</DeskColumn>
              <DeskColumn kind="number">{t('jobsAttempts')}</DeskColumn>
              <DeskColumn kind="time">{t('jobsLast')}</DeskColumn>
              <DeskColumn kind="time">{t('jobsNext')}</DeskColumn>
            </>
          }
        >
          {failed.map((job) => (
            <JobRow key={job.id} job={job} selection={selection} />
          ))}
        </DeskTable>
      )}
    </FailureList>
  )
}

interface JobRowProps {
  readonly job: FailedJob
  readonly selection: Selection
}

function JobRow({ job, selection }: JobRowProps) {
  const { t, formatNumber } = useText()
  const name = useJobWord()(job.name)
  const { id, payload, attempts, maxAttempts, lastError, date, running, next } = job
  return (
    <DeskRow>
      <SelectOne selection={selection} id={id} label={t('jobsSelect', { name, id })} />
      <DeskCell kind="what">
        <details>
          <summary>
            {name} <span className="quiet num">{payload === '{}' ? '' : payload}</span>
          </summary>
          <p lang="en">{lastError}</p>
        </details>
      </DeskCell>
      <DeskCell>
        <span className={classes('quiet', styles.columnName)}>{t('jobsAttempts')} </span>
        <span className="num">
          {t('jobsAttemptsOf', {
            attempts: formatNumber(attempts),
            most: formatNumber(maxAttempts),
          })}
        </span>
      </DeskCell>
      <DeskCell>
        <span className={classes('quiet', styles.columnName)}>{t('jobsLast')} </span>
        <Time date={date} form="moment" />
      </DeskCell>
      <DeskCell>
        {next !== null && (
          <span className={classes('quiet', styles.columnName)}>{t('jobsNext')} </span>
        )}
        {running && t('jobsTriedNow')}
        {!running &&
          (next === null ? <b>{t('jobsGivenUp')}</b> : <Time date={next} form="moment" />)}
      </DeskCell>
    </DeskRow>
  )
}
