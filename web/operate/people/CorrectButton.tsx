import { useState } from 'react'
import { CorrectedAmount, people, type PersonFile } from '#contract/people.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { newDraftId } from '#web/core/storage/draft-id.ts'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

type Corrected = Pick<PersonFile, 'id' | 'userName' | 'kbPoints' | 'debt'>

/** Adds points or takes some away. */
export function CorrectButton({ person }: { readonly person: Corrected }) {
  const { t } = useText()
  /** The id of the open form, so that a repeated call corrects once. */
  const [draftId, setDraftId] = useState<string | null>(null)
  return (
    <>
      <Button icon="pen" aria-haspopup="dialog" onClick={() => setDraftId(newDraftId())}>
        {t('correct')}
      </Button>
      {draftId !== null && (
        <CorrectDialog person={person} draftId={draftId} onClose={() => setDraftId(null)} />
      )}
    </>
  )
}

interface CorrectDialogProps {
  readonly person: Corrected
  readonly draftId: string
  readonly onClose: () => void
}

function CorrectDialog({ person, draftId, onClose }: CorrectDialogProps) {
  const { t, tp, formatNumber } = useText()
  const reload = useReload()
  const [written, setWritten] = useState('')
  const { id, userName: username } = person
  const parsed = CorrectedAmount.safeParse(written.trim().replaceAll('−', '-'))
  const before = person.kbPoints - person.debt
  return (
    <ConfirmDialog
      onClose={onClose}
      title={t('correctTitle', { username })}
      step={{ label: t('correct'), kind: 'main', icon: 'check' }}
      question={{ label: t('suspendReason') }}
      act={(reason) =>
        api(people.correct, { id, draftId, reason, amount: parsed.success ? parsed.data : 0 })
      }
      onDone={({ kbPoints }) => {
        toast(t('correctDone', { username, points: formatNumber(kbPoints) }))
        void reload()
      }}
    >
      <p>{t('correctWhat')}</p>
      <Field
        label={t('correctAmount')}
        help={
          parsed.success
            ? t('correctAfter', {
                before: formatNumber(person.kbPoints),
                after: formatNumber(Math.max(0, before + parsed.data)),
              })
            : t('correctAmountHelp')
        }
        error={
          parsed.success || written === '' ? undefined : tp(parsed.error.issues[0]?.message ?? '')
        }
      >
        {(wiring) => (
          <TextInput
            {...wiring}
            value={written}
            autoComplete="off"
            onChange={({ target }) => setWritten(target.value)}
          />
        )}
      </Field>
    </ConfirmDialog>
  )
}
