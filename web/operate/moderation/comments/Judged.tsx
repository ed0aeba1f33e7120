import type { ReactNode } from 'react'
import type { ModeratedComment } from '#contract/comments.ts'
import { useText } from '#web/core/i18n.tsx'
import { useNameOf } from '#web/core/PersonName.tsx'
import { Time } from '#web/core/time/Time.tsx'
import { markWords } from '#web/operate/moderation/comments/marked-text.ts'
import styles from '#web/operate/desk/Desk.module.css'

/** Marks the words that decided the opinion. */
export function Marked({ text, why }: { readonly text: string; readonly why: readonly string[] }) {
  return markWords(text, why).map((piece) =>
    piece.isMarked ? <mark key={piece.at}>{piece.text}</mark> : piece.text,
  )
}

interface ReasonsProps {
  readonly judged: Pick<ModeratedComment, 'prediction' | 'model' | 'why' | 'language'>
  readonly children?: ReactNode
}

export function Reasons({ judged, children }: ReasonsProps) {
  const { t } = useText()
  const { prediction, model, why, language } = judged
  return (
    <p>
      {prediction === null ? (
        t('opinionWaits')
      ) : (
        <>
          {t(why.length > 0 ? 'opinionWords' : 'opinionNoWord')}{' '}
          {model !== null && t('opinionBy', { model, language: language ?? 'other' })}
        </>
      )}{' '}
      {children}
    </p>
  )
}

interface GoneProps {
  readonly deleted: NonNullable<ModeratedComment['deleted']>
  readonly now: number
}

const DAY_MS = 24 * 60 * 60 * 1000
const RESTORABLE_DAYS = 30

export function Gone({ deleted: { date, userName }, now }: GoneProps) {
  const { t } = useText()
  const username = useNameOf()(userName)
  const left = Date.parse(date) + RESTORABLE_DAYS * DAY_MS - now
  const days = left < DAY_MS ? 0 : Math.round(left / DAY_MS)
  return (
    <span className={styles.goneSince}>
      <Time date={date} form="moment" /> {t('deskDeletedBy', { username })}
      <br />
      <b>{t('deskDaysLeft', { days })}</b>
    </span>
  )
}
