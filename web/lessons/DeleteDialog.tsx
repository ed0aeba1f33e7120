import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { lessons, type OpenLesson } from '#contract/lessons.ts'
import { REASON } from '#contract/limits.ts'
import { fits } from '#contract/fields.ts'
import { message } from '#contract/message.ts'
import { api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { setPoints, useSession } from '#web/core/session.ts'
import { toast } from '#web/core/toast.ts'
import { RemovalSum } from '#web/lessons/RemovalSum.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import '#web/ui/styles/form.css'

interface DeleteDialogProps {
  readonly lesson: OpenLesson
  readonly open: boolean
  readonly onClose: () => void
}

/** Says what deleting takes back and pays back, and asks an administrator for a reason. */
export function DeleteDialog({ lesson, open, onClose }: DeleteDialogProps) {
  const { t, tp } = useText()
  const form = useId()
  const navigate = useNavigate()
  const isForeign = useSession()?._id !== lesson.owner
  const [reason, setReason] = useState('')
  const [touched, setTouched] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const isReasonBad = isForeign && !fits(reason, REASON)

  const remove = async () => {
    setTouched(true)
    if (isReasonBad || busy) return
    setBusy(true)
    setFailure(null)
    try {
      const input = { id: lesson.id, ...(isForeign && { reason }) }
      const { kbPoints } = await api(lessons.remove, input)
      setPoints(kbPoints)
      toast(t('successDeletedLesson'), 'done')
      await navigate(to.lessons())
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : t('somethingWrong'))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('deleteTitle', { title: lesson.title })}
      actions={
        <>
          <Button kind="risk" icon="bin" type="submit" form={form} busy={busy}>
            {t('deleteLesson')}
          </Button>
          <Button onClick={onClose}>{t('keepLesson')}</Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void remove()
        }}
      >
        {failure !== null && (
          <Alert heading={t('error')} focus>
            {failure}
          </Alert>
        )}
        <p>{t('deleteForever')}</p>
        <RemovalSum id={lesson.id} isForeign={isForeign} />
        {isForeign && (
          <Field
            label={t('reasonLabel')}
            error={touched && isReasonBad ? tp(message('reasonValMs', { ...REASON })) : undefined}
          >
            {(wiring) => (
              <TextInput
                {...wiring}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
                onBlur={() => setTouched(true)}
              />
            )}
          </Field>
        )}
      </form>
    </Dialog>
  )
}
