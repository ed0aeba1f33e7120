import { useNavigate } from 'react-router'
import { mail } from '#contract/mail.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { Rich, useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { requestSignIn } from '#web/core/sign-in-request.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { toast } from '#web/core/toast.ts'
import { SuspendedHere } from '#web/layout/SuspendedHere.tsx'
import type { loader } from '#web/community/contact/ContactPage.data.ts'
import { LetterFields } from '#web/community/contact/LetterFields.tsx'
import { type LetterWords, useLetterForm } from '#web/community/contact/letter-form.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Face } from '#web/ui/Face.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Letter.module.css'
import formStyles from '#web/ui/inputs/Form.module.css'

export default function ContactPage() {
  const { lesson } = usePageData<typeof loader>()
  const { t } = useText()
  const person = useSession()
  const back = (
    <p>
      <ButtonLink as={Link} kind="main" to={to.lesson(lesson.id)}>
        {t('letterBack')}
      </ButtonLink>
    </p>
  )
  if (person?.suspended === true)
    return <SuspendedHere title={t('contactTitle')}>{back}</SuspendedHere>
  if (person?._id !== lesson.owner) return <ContactForm key={lesson.id} />
  return (
    <div className="stray">
      <h1>{t('contactTitle')}</h1>
      <p className="quiet">{t('letterToOneself')}</p>
      {back}
    </div>
  )
}

function ContactForm() {
  const { lesson, isSent } = usePageData<typeof loader>()
  const { t } = useText()
  const navigate = useNavigate()
  const { id, title, owner, ownerName: username, ownerImage } = lesson
  const labels = {
    senderEmail: t('letterEmail'),
    topic: t('letterTopic'),
    emailText: t('letterText'),
  }
  const f = useLetterForm({
    name: `contact:${id}`,
    labels,
    send: async (words) => {
      await sendToOwner(id, words)
      await navigate(to.lesson(id))
      toast(t('letterSent', { username }))
    },
  })
  const address = {
    a: <Link to={to.profile(owner)} />,
    lesson: <Link to={to.lesson(id)} lang={textLanguage(title)} dir="auto" />,
  }
  return (
    <div className={classes(formStyles.slip, styles.letter)}>
      <form
        className={classes(formStyles.form, styles.form)}
        {...f.plainly}
        aria-labelledby="contact"
        onSubmit={(event) => void f.onSubmit(event)}
        noValidate
      >
        <div>
          <h1 id="contact">{t('contactTitle')}</h1>
          <p className={styles.addressee}>
            <Face src={ownerImage} eager />
            <span>
              <Rich id="letterTo" values={{ username, title }} components={address} />
            </span>
          </p>
        </div>
        {isSent && <p role="status">{t('letterSent', { username })}</p>}
        <FormAlert alert={f.alert} />
        <input type="hidden" name="kind" value="contact" />
        <input type="hidden" name="lessonId" value={id} />
        <LetterFields
          f={f}
          labels={labels}
          help={{ senderEmail: t('letterEmailHelp', { username }), topic: undefined }}
          submit={t('letterSubmit')}
        />
      </form>
      <aside aria-labelledby="how">
        <h2 id="how">{t('letterHowTitle')}</h2>
        <ul className={styles.hints}>
          <li>{t('letterHowMail', { username })}</li>
          <li>
            <Rich
              id="letterHowChat"
              values={{ username }}
              components={{ a: <Link to={to.chat(username)} /> }}
            />
          </li>
        </ul>
      </aside>
    </div>
  )
}

/** `api` does not ask to sign in here, because guests may use this call for other letters. A lost session needs it. */
async function sendToOwner(lessonId: number, words: LetterWords): Promise<void> {
  const letter = { ...words, lessonId, kind: 'contact' } as const
  try {
    await api(mail.send, letter)
  } catch (error) {
    const isLost = error instanceof ApiError && error.status === 401
    if (!isLost || !(await requestSignIn())) throw error
    await api(mail.send, letter)
  }
}
