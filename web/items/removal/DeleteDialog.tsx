import { useState } from 'react'
import { useNavigate } from 'react-router'
import { REASON } from '#contract/limits.ts'
import { fits } from '#contract/measure.ts'
import { message } from '#contract/message.ts'
import { FormDialog } from '#web/core/form/FormDialog.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { setPoints, useSession } from '#web/core/session.ts'
import { toast } from '#web/core/toast.ts'
import { type RemovableItem, removeItem, wordsFor } from '#web/items/removal/item-removal.ts'
import { RemovalSum } from '#web/items/removal/RemovalSum.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

interface DeleteDialogProps {
  readonly item: RemovableItem
  readonly open: boolean
  readonly onClose: () => void
}

/** Says what deleting takes back and pays back, and asks an administrator for a reason. */
export function DeleteDialog({ item, open, onClose }: DeleteDialogProps) {
  const { t, tp } = useText()
  const navigate = useNavigate()
  const isForeign = useSession()?._id !== item.owner
  const words = wordsFor(item)
  const [reason, setReason] = useState('')
  const [isJudged, setJudged] = useState(false)
  const sending = useSending()
  const isReasonWrong = isForeign && !fits(reason, REASON)

  const remove = async () => {
    setJudged(true)
    if (isReasonWrong) return
    await sending.send(async () => {
      setPoints(await removeItem(item, isForeign ? reason : undefined))
      toast(t(words.success), 'done')
      await navigate(words.list)
    })
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t('deleteTitle', { title: item.title })}
      step={{ label: t(words.remove), kind: 'risk', icon: 'bin' }}
      leave={t('keepLesson')}
      sending={sending}
      onSubmit={() => void remove()}
    >
      <p>{t(words.forever)}</p> <RemovalSum item={item} isForeign={isForeign} />{' '}
      {isForeign && (
        <Field
          label={t('reasonLabel')}
          error={isJudged && isReasonWrong ? tp(message('reasonValMs', { ...REASON })) : undefined}
        >
          {(wiring) => (
            <TextInput
              {...wiring}
              dir="auto"
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              onBlur={() => setJudged(true)}
            />
          )}
        </Field>
      )}
    </FormDialog>
  )
}
