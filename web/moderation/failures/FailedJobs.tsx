import { jobs } from '#contract/jobs.ts'
import type { FailedJob } from '#contract/jobs.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { Time } from '#web/core/Time.tsx'
import { DeskCell, DeskColumn, DeskRow, DeskTable } from '#web/moderation/desk/DeskTable.tsx'
import { FailureActs } from '#web/moderation/failures/FailureActs.tsx'
import { useFailures } from '#web/moderation/failures/failures.ts'
import { useJobWord } from '#web/moderation/failures/job-words.ts'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'

interface FailedJobsProps {
  readonly jobs: readonly FailedJob[]
  /** Something is selected or asked: the list must not move away. */
  readonly onActing: (acting: boolean) => void
}

/** Jobs that failed: selected, they are tried again or, after a question, dropped. */
export function FailedJobs({ jobs: failed, onActing }: FailedJobsProps) {
  const { t } = useText()
  const failures = useFailures(failed, onActing)
  const { selected, choose } = failures
  const count = selected.length
  return (
    <>
      <FailureActs
        failures={failures}
        retry={{
          call: jobs.retry,
          label: t('jobsRetry'),
          done: (many) => t('jobsRetried', { count: many }),
        }}
        drop={{
          call: jobs.drop,
          label: t('jobsDrop'),
          done: (many) => t('jobsDropped', { count: many }),
        }}
        question={{ title: t('jobsDropTitle', { count }), text: t('jobsDropWhat') }}
      />
      <DeskTable
        label={t('jobsFailed')}
        head={
          <>
            <DeskColumn kind="tick">
              <Checkbox
                bare
                checked={count === failed.length}
                onChange={(event) => choose(event.target.checked ? failed.map(({ id }) => id) : [])}
              >
                {t('deskSelectAll')}
              </Checkbox>
            </DeskColumn>
            <DeskColumn kind="what">{t('jobsJob')}</DeskColumn>
            <DeskColumn>{t('jobsAttempts')}</DeskColumn>
            <DeskColumn>{t('jobsLast')}</DeskColumn>
            <DeskColumn>{t('jobsNext')}</DeskColumn>
          </>
        }
      >
        {failed.map((job) => (
          <JobRow
            key={job.id}
            job={job}
            selected={selected.includes(job.id)}
            onSelect={(isTicked) =>
              choose(isTicked ? [...selected, job.id] : selected.filter((id) => id !== job.id))
            }
          />
        ))}
      </DeskTable>
    </>
  )
}

interface JobRowProps {
  readonly job: FailedJob
  readonly selected: boolean
  readonly onSelect: (selected: boolean) => void
}

function JobRow({ job, selected, onSelect }: JobRowProps) {
  const { t, formatNumber } = useText()
  const name = useJobWord()(job.name)
  const { id, payload, attempts, maxAttempts, lastError, date, next } = job
  return (
    <DeskRow>
      <DeskCell kind="tick">
        <Checkbox bare checked={selected} onChange={(event) => onSelect(event.target.checked)}>
          {t('jobsSelect', { name, id })}
        </Checkbox>
      </DeskCell>
      <DeskCell kind="what">
        <details>
          <summary>
            {name} <span className="quiet num">{payload === '{}' ? '' : payload}</span>
          </summary>
          <p lang="en">{lastError}</p>
        </details>
      </DeskCell>
      <DeskCell>
        <span className="num">
          {t('jobsAttemptsOf', {
            attempts: formatNumber(attempts),
            most: formatNumber(maxAttempts),
          })}
        </span>
      </DeskCell>
      <DeskCell>
        <Time date={date} />
      </DeskCell>
      <DeskCell>{next === null ? <b>{t('jobsGivenUp')}</b> : <Time date={next} />}</DeskCell>
    </DeskRow>
  )
}
