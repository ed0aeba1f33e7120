import { useState, type FormEvent } from 'react'
import { mail } from '#contract/mail.ts'
import { KIND_WORDS } from '#contract/notice-words.ts'
import { NOTICE_KINDS } from '#contract/notices.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import type { loader } from '#web/people/accounts/UnsubscribePage.data.ts'
import { Button } from '#web/ui/Button.tsx'
import { StallSide } from '#web/ui/books/StallSide.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/inputs/Form.module.css'

/** The link works without signing in. */
export default function UnsubscribePage() {
  const { token, done } = usePageData<typeof loader>()
  const [state, setState] = useState<'done' | 'invalid' | null>(null)
  const { t } = useText()
  if (state === 'done' || (state === null && done)) {
    return <Outcome title={t('unsubscribeDone')}>{t('unsubscribeDoneWhat')}</Outcome>
  }
  if (state === 'invalid' || token === null) {
    return <Outcome title={t('unsubscribeInvalid')}>{t('unsubscribeInvalidWhat')}</Outcome>
  }
  return <Question token={token} onEnd={setState} />
}

/** Screen readers announce the result. */
function Outcome({ title, children }: { readonly title: string; readonly children: string }) {
  const { t } = useText()
  return (
    <div className={classes(styles.slip, styles.withStall)}>
      <div className={styles.form}>
        <div role="status">
          <h1>{title}</h1>
          <p className="quiet">{children}</p>
        </div>
        <div className="row">
          <ButtonLink as={Link} to={to.account()}>
            {t('unsubscribeAccount')}
          </ButtonLink>
        </div>
      </div>
      <StallSide drawing="book" />
    </div>
  )
}

interface QuestionProps {
  readonly token: string
  readonly onEnd: (state: 'done' | 'invalid') => void
}

/** Without JavaScript, the form posts to the page's own URL. */
function Question({ token, onEnd }: QuestionProps) {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const kind = NOTICE_KINDS.find((each) => each === token.split('.').at(1)) ?? null
  const [failure, setFailure] = useState<{ text: string; status: number } | null>(null)

  async function end(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      await api(mail.unsubscribe, { token })
      onEnd('done')
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 400) onEnd('invalid')
      else setFailure({ text: error.message, status: error.status })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes(styles.slip, styles.withStall)}>
      <form
        className={styles.form}
        method="post"
        action={`/email/unsubscribe?${new URLSearchParams({ token }).toString()}`}
        aria-labelledby="unsubscribe"
        onSubmit={(event) => void end(event)}
      >
        <div>
          <h1 id="unsubscribe">{t('unsubscribeTitle')}</h1>
          <p className="quiet">
            {kind === null
              ? t('unsubscribeWhat')
              : `${t(KIND_WORDS[kind])}. ${t('unsubscribeKindWhat')}`}
          </p>
        </div>
        <FormAlert alert={failure} />
        <div className="row">
          <Button type="submit" kind="main" busy={busy}>
            {t('unsubscribeSubmit')}
          </Button>
        </div>
      </form>
      <StallSide drawing="book" />
    </div>
  )
}
