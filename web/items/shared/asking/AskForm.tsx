import { useState } from 'react'
import { useLocation } from 'react-router'
import { ComposeForm } from '#web/items/comments/ComposeForm.tsx'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSession } from '#web/core/session.ts'
import { ASK_ID } from '#web/items/shared/asking/ask-place.ts'
import { type AskedLesson, useAsking } from '#web/items/shared/asking/asking.ts'
import styles from '#web/items/comments/ComposeForm.module.css'
import noteStyles from '#web/ui/styles/Note.module.css'

/** Sends a question to the author as a chat message, with the lesson's title and address. */
export function AskForm({ lesson }: { readonly lesson: AskedLesson }) {
  const { t } = useText()
  const isSuspended = useSession()?.suspended === true
  // Number of sent questions, so that the same announcement is made each time.
  const [sent, setSent] = useState(0)
  const writing = useAsking(lesson, () => setSent((times) => times + 1))
  const { hash } = useLocation()
  // The tab of this form opens only after hydration.
  const hydrated = useHydrated()
  if (isSuspended) return <p className={noteStyles.gate}>{t('chatSuspended')}</p>
  return (
    <>
      <ComposeForm
        writing={writing}
        label={t('askQuestionTo', { name: lesson.ownerName })}
        placeholder={t('askPlaceholder')}
        rows={1}
        note={<Note length={writing.length} max={writing.max} />}
        step={t('sendMessage')}
        focusAtOnce={hydrated && hash === `#${ASK_ID}`}
      />
      <p className={styles.askSent} role="status">
        {sent > 0 && (
          <span key={sent}>
            {t('askSent')} <Link to={to.chat(lesson.ownerName)}>{t('askToChat')}</Link>
          </span>
        )}
      </p>
    </>
  )
}

function Note({ length, max }: { readonly length: number; readonly max: number }) {
  const { t } = useText()
  return length > max ? t('commentLong', { over: length - max }) : t('askNote', { max })
}
