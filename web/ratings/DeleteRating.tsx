import { useState } from 'react'
import { ratings, type Rating } from '#contract/ratings.ts'
import { api } from '#web/core/api.ts'
import { FormDialog } from '#web/core/form/FormDialog.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import styles from '#web/ui/styles/Note.module.css'

interface DeleteRatingProps {
  /** Null: the dialog is closed. */
  readonly rating: Rating | null
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Asks an administrator once before somebody's rating goes; the log brings it back. */
export function DeleteRating({ rating, onClose, onDeleted }: DeleteRatingProps) {
  const { t } = useText()
  const sending = useSending()
  // Its words stay while the dialog closes.
  const [last, setLast] = useState(rating)
  if (rating !== null && rating !== last) setLast(rating)
  const remove = async () => {
    if (rating !== null) await api(ratings.removeMany, { ids: [rating.id] })
    onClose()
    onDeleted()
  }
  return (
    <FormDialog
      open={rating !== null}
      onClose={onClose}
      title={t('ratingDelete')}
      step={{ label: t('delete'), kind: 'risk', icon: 'bin' }}
      sending={sending}
      onSubmit={() => void sending.send(remove)}
    >
      {last?.text !== undefined && (
        <blockquote className={styles.quoted} lang={textLanguage(last.text)} dir="auto">
          {last.text}
        </blockquote>
      )}
      <p>{t('ratingDeleteWords')}</p>
    </FormDialog>
  )
}
