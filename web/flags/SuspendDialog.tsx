import { useId, useState } from 'react'
import { REASON } from '#contract/limits.ts'
import { fits, lengthOf, normalizeText } from '#contract/measure.ts'
import { message } from '#contract/message.ts'
import { moderation } from '#contract/moderation.ts'
import type { ProfileCard } from '#contract/profile-card.schemas.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import '#web/ui/styles/form.css'

interface SuspendDialogProps {
  readonly person: ProfileCard
  /** They are: what is asked is whether to lift it. */
  readonly suspended: boolean
  readonly open: boolean
  readonly onClose: () => void
}

/** Says what a suspension means and asks why; lifting one needs no reason. */
export function SuspendDialog({ person, suspended, open, onClose }: SuspendDialogProps) {
  const { t, tp } = useText()
  const form = useId()
  const reload = useReload()
  const { id, userName: username } = person
  const [reason, setReason] = useState('')
  const [left, setLeft] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ readonly text: string } | null>(null)
  const length = lengthOf(normalizeText(reason))
  const isWrong = !(suspended && length === 0) && !fits(reason, REASON)

  const decide = async () => {
    setLeft(true)
    if (isWrong || busy) return
    setBusy(true)
    setFailure(null)
    try {
      await api(suspended ? moderation.unsuspend : moderation.suspend, { id, reason })
      toast(t(suspended ? 'liftDone' : 'suspendDone', { username }))
      onClose()
      await reload()
    } catch (error) {
      setFailure({ text: error instanceof ApiError ? error.message : t('somethingWrong') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t(suspended ? 'liftTitle' : 'suspendTitle', { username })}
      actions={
        <>
          <Button
            kind={suspended ? 'main' : 'risk'}
            icon="lock"
            type="submit"
            form={form}
            busy={busy}
          >
            {t(suspended ? 'lift' : 'suspend')}
          </Button>
          <Button onClick={onClose}>{t('notNow')}</Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void decide()
        }}
      >
        {failure !== null && (
          <Alert heading={t('error')} focus>
            {failure.text}
          </Alert>
        )}
        <p>{t(suspended ? 'liftWhat' : 'suspendWhat')}</p>
        <Field
          label={t(suspended ? 'liftReason' : 'suspendReason')}
          error={left && isWrong ? tp(message('reasonValMs', { ...REASON })) : undefined}
          count={t('count', { length, max: REASON.max })}
          over={length > REASON.max}
        >
          {(wiring) => (
            <TextInput
              {...wiring}
              dir="auto"
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              onBlur={() => setLeft(reason !== '')}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
