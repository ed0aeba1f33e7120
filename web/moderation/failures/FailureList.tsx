/** What failed, jobs or mails alike: selected, they are tried again or, after a question, given up. */
import { type ReactNode, useState } from 'react'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useText } from '#web/core/i18n.tsx'
import { BulkBar } from '#web/moderation/desk/BulkBar.tsx'
import { type FailureStep, useFailures } from '#web/moderation/failures/failures.ts'
import type { Selection } from '#web/moderation/failures/SelectColumn.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

interface FailureListProps {
  readonly items: readonly { readonly id: number }[]
  readonly retry: FailureStep
  /** Done after a question: it can't be undone. */
  readonly drop: FailureStep
  /** The question, about so many. */
  readonly question: { readonly title: (count: number) => string; readonly text: string }
  /** Learns whether something is selected: then the list must not move away. */
  readonly onActing?: ((acting: boolean) => void) | undefined
  /** The table. */
  readonly children: (selection: Selection) => ReactNode
}

/** What went wrong last, what can be done with the failures that are selected, and the table of them. */
export function FailureList(props: FailureListProps) {
  const { items, retry, drop, question, onActing, children } = props
  const { t } = useText()
  const { selected, choose, act, busy, failure } = useFailures(items, onActing)
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
        title={question.title(selected.length)}
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
            </Button>{' '}
            <Button onClick={() => setAsks(false)}>{t('notNow')}</Button>
          </>
        }
      >
        <p>{question.text}</p>
      </Dialog>
      {children({ selected, choose })}
    </>
  )
}
