import { useState } from 'react'
import { jobs, type FailedJob } from '#contract/jobs.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { Time } from '#web/core/Time.tsx'
import { toast } from '#web/core/toast.ts'
import { DeskCell, DeskColumn, DeskRow, DeskTable } from '#web/moderation/DeskTable.tsx'
import { useJobWord } from '#web/moderation/job-words.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

interface FailedJobsProps {
  readonly jobs: readonly FailedJob[]
  /** Something is selected or asked: the list must not move away. */
  readonly onActing: (acting: boolean) => void
}

/** Jobs that failed: selected, they are tried again or dropped. */
export function FailedJobs({ jobs: failed, onActing }: FailedJobsProps) {
  const { t } = useText()
  const reload = useReload()
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const [asks, setAsks] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  // Of what is not on the page any more nothing is selected.
  const selected = failed.flatMap(({ id }) => (ticked.has(id) ? [id] : []))
  const count = selected.length

  const choose = (ids: readonly number[]) => {
    setTicked(new Set(ids))
    onActing(ids.length > 0)
  }
  const act = async (call: typeof jobs.retry | typeof jobs.drop) => {
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      await api(call, { ids: selected })
      toast(t(call === jobs.retry ? 'jobsRetried' : 'jobsDropped', { count }))
      choose([])
      await reload()
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : t('somethingWrong'))
    } finally {
      setAsks(false)
      setBusy(false)
    }
  }
  return (
    <>
      {failure !== null && (
        <Alert heading={t('error')} focus>
          {failure}
        </Alert>
      )}
      <p className="sr" role="status">
        {count > 0 && t('deskSelected', { count })}
      </p>
      {count > 0 && (
        <section className="bulk" aria-label={t('deskSelection')}>
          <b className="num">{t('deskSelected', { count })}</b>
          <Button icon="retry" busy={busy} onClick={() => void act(jobs.retry)}>
            {t('jobsRetry')}
          </Button>
          <Button icon="bin" aria-haspopup="dialog" onClick={() => setAsks(true)}>
            {t('jobsDrop')}
          </Button>
          <Button onClick={() => choose([])}>{t('clear')}</Button>
        </section>
      )}
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
            selected={ticked.has(job.id)}
            onSelect={(isTicked) =>
              choose(isTicked ? [...selected, job.id] : selected.filter((id) => id !== job.id))
            }
          />
        ))}
      </DeskTable>
      <Dialog
        open={asks}
        onClose={() => setAsks(false)}
        title={t('jobsDropTitle', { count })}
        actions={
          <>
            <Button kind="risk" icon="bin" busy={busy} onClick={() => void act(jobs.drop)}>
              {t('jobsDrop')}
            </Button>
            <Button onClick={() => setAsks(false)}>{t('notNow')}</Button>
          </>
        }
      >
        <p>{t('jobsDropWhat')}</p>
      </Dialog>
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
