import { useState } from 'react'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useText } from '#web/core/i18n.tsx'
import { BulkBar } from '#web/moderation/desk/BulkBar.tsx'
import type { Failures, FailureStep } from '#web/moderation/failures/failures.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

interface FailureActsProps {
  readonly failures: Failures
  readonly retry: FailureStep
  /** Done after a question: it can't be undone. */
  readonly drop: FailureStep
  readonly question: { readonly title: string; readonly text: string }
}

/** What went wrong last, and what can be done with the failures that are selected. */
export function FailureActs({ failures, retry, drop, question }: FailureActsProps) {
  const { t } = useText()
  const { selected, choose, act, busy, failure } = failures
  const [asks, setAsks] = useState(false)
  return (
    <>
      <FormAlert alert={failure} />
      <BulkBar count={selected.length} onClear={() => choose([])}>
        <Button icon="retry" busy={busy} onClick={() => void act(retry)}>
          {retry.label}
        </Button>
        <Button icon="bin" aria-haspopup="dialog" busy={busy} onClick={() => setAsks(true)}>
          {drop.label}
        </Button>
      </BulkBar>
      <Dialog
        open={asks}
        onClose={() => setAsks(false)}
        title={question.title}
        actions={
          <>
            <Button
              kind="risk"
              icon="bin"
              onClick={() => {
                // Closed before: behind an open dialog nothing takes the focus.
                setAsks(false)
                void act(drop)
              }}
            >
              {drop.label}
            </Button>
            <Button onClick={() => setAsks(false)}>{t('notNow')}</Button>
          </>
        }
      >
        <p>{question.text}</p>
      </Dialog>
    </>
  )
}
