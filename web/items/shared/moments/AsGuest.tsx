import { useEffect, useState } from 'react'
import { courses, type Course } from '#contract/courses.ts'
import { lessons, type Lesson } from '#contract/lessons.ts'
import type { ItemKind } from '#contract/points.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { bookPicture, isPatternPaper } from '#web/ui/books/book-picture.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Book } from '#web/ui/books/Book.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import styles from './Published.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

interface AsGuestProps {
  readonly kind: ItemKind
  readonly id: number
  readonly onClose: () => void
}

/** Shows the server's response to a guest: the request is sent without the viewer's session. */
export function AsGuest({ kind, id, onClose }: AsGuestProps) {
  const { t } = useText()
  const [item, setItem] = useState<Lesson | Course | 'failed' | null>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    const options = { signal: stop.signal, quiet: true, asGuest: true }
    const asked: Promise<Lesson | Course> =
      kind === 'lesson' ? api(lessons.show, { id }, options) : api(courses.show, { id }, options)
    asked.then(setItem, () => {
      if (!stop.signal.aborted) setItem('failed')
    })
    return () => stop.abort()
  }, [kind, id, tries])
  const again = () => {
    setItem(null)
    setTries(tries + 1)
  }
  return (
    <Dialog
      onClose={onClose}
      title={t('guestSees')}
      actions={<Button onClick={onClose}>{t('close')}</Button>}
    >
      {item === null && (
        <p role="status">{t(kind === 'lesson' ? 'loadingLesson' : 'loadingCourse')}</p>
      )}
      {item === 'failed' && (
        <Alert heading={t('error')}>
          {t('notReached')} <Button onClick={again}>{t('tryAgain')}</Button>
        </Alert>
      )}
      {item !== null && item !== 'failed' && <Offer kind={kind} item={item} />}
    </Dialog>
  )
}

interface OfferProps {
  readonly kind: ItemKind
  readonly item: Lesson | Course
}

function Offer({ kind, item }: OfferProps) {
  const { t, formatNumber } = useText()
  const { id, title, description, thumbnail } = item
  const isCourse = kind === 'course'
  const lang = textLanguage(title)
  const price = formatNumber(item.price)
  return (
    <div className={styles.asGuest}>
      <Book
        course={isCourse}
        seed={id}
        picture={bookPicture(thumbnail, '26rem')}
        label={!isCourse && isPatternPaper(thumbnail) ? title : undefined}
        lang={lang}
        state={{ kind: 'sealed', price, unit: t('kbPoints') }}
        eager
      />
      <h3 lang={lang} dir="auto">
        {title}
      </h3>
      <p className="serif" lang={textLanguage(description)} dir="auto">
        {description}
      </p>
      {'opening' in item && item.opening !== null && (
        <p lang={textLanguage(item.opening)} dir="auto">
          {item.opening}
        </p>
      )}
      <p className={fieldStyles.help}>{t('guestSeesNote', { price })}</p>
    </div>
  )
}
