import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { REASON } from '#contract/limits.ts'
import { fits } from '#contract/measure.ts'
import { message } from '#contract/message.ts'
import { ApiError } from '#web/core/api-error.ts'
import { useText } from '#web/core/i18n.tsx'
import { setPoints, useSession } from '#web/core/session.ts'
import { toast } from '#web/core/toast.ts'
import { type Doomed, removeItem, wordsFor } from '#web/items/removal/doomed.ts'
import { RemovalSum } from '#web/items/removal/RemovalSum.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import '#web/ui/styles/form.css'

interface DeleteDialogProps {
  readonly item: Doomed
  readonly open: boolean
  readonly onClose: () => void
}

/** Says what deleting takes back and pays back, and asks an administrator for a reason. */
export function DeleteDialog({ item, open, onClose }: DeleteDialogProps) {
  const { t, tp } = useText()
  const form = useId()
  const navigate = useNavigate()
  const isForeign = useSession()?._id !== item.owner
  const words = wordsFor(item)
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
      setPoints(await removeItem(item, isForeign ? reason : undefined))
      toast(t(words.success), 'done')
      await navigate(words.list)
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : t('somethingWrong'))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('deleteTitle', { title: item.title })}
      actions={
        <>
          <Button kind="risk" icon="bin" type="submit" form={form} busy={busy}>
            {t(words.remove)}
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
        <p>{t(words.forever)}</p>
        <RemovalSum item={item} isForeign={isForeign} />
        {isForeign && (
          <Field
            label={t('reasonLabel')}
            error={touched && isReasonBad ? tp(message('reasonValMs', { ...REASON })) : undefined}
          >
            {(wiring) => (
              <TextInput
                {...wiring}
                dir="auto"
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
