/** A list of failed jobs or mails, which can be retried or dropped. */
import { type ReactNode, useState } from 'react'
import type { jobs } from '#contract/jobs.ts'
import type { mail } from '#contract/mail.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'
import { BulkBar } from '#web/operate/desk/BulkBar.tsx'
import type { ListSelection } from '#web/operate/desk/selection.ts'
import { Button } from '#web/ui/Button.tsx'

interface FailureStep {
  readonly call: typeof jobs.retry | typeof jobs.drop | typeof mail.resend | typeof mail.dropMails
  /** Label of the button. */
  readonly label: string
  /** The message after it is done, with the number of items. */
  readonly done: (count: number) => string
}

interface FailureListProps {
  readonly selection: ListSelection
  readonly retry: FailureStep
  /** Needs confirmation, because it cannot be undone. */
  readonly drop: FailureStep
  /** Texts of the confirmation, with the number of items. */
  readonly question: { readonly title: (count: number) => string; readonly text: string }
  readonly children: ReactNode
}

export function FailureList({ selection, retry, drop, question, children }: FailureListProps) {
  const reload = useReload()
  const { busy, failure, send } = useSending()
  const [asks, setAsks] = useState(false)
  const { ids, choose } = selection
  const leave = (step: FailureStep) => {
    toast(step.done(ids.length))
    choose([])
    // The bar with the focused button disappears, so the page takes the focus.
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
    return reload()
  }
  const again = async () => {
    await api(retry.call, { ids: [...ids] })
    await leave(retry)
  }
  return (
    <>
      <FormAlert alert={failure} />
      <BulkBar count={ids.length} onClear={() => choose([])}>
        <Button icon="retry" busy={busy} onClick={() => void send(again)}>
          {retry.label}
        </Button>
        <Button icon="bin" aria-haspopup="dialog" busy={busy} onClick={() => setAsks(true)}>
          {drop.label}
        </Button>
      </BulkBar>
      {asks && (
        <ConfirmDialog
          onClose={() => setAsks(false)}
          title={question.title(ids.length)}
          step={{ label: drop.label, kind: 'risk', icon: 'bin' }}
          act={() => api(drop.call, { ids: [...ids] })}
          onDone={() => void leave(drop)}
        >
          <p>{question.text}</p>
        </ConfirmDialog>
      )}
      {children}
    </>
  )
}
