import { useNavigate } from 'react-router'
import { mail } from '#contract/mail.ts'
import { api } from '#web/core/api.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { toast } from '#web/core/toast.ts'
import { LetterFields } from '#web/community/contact/LetterFields.tsx'
import { useLetterForm } from '#web/community/contact/letter-form.ts'
import type { loader } from '#web/community/contact/ReportPage.data.ts'
import { classes } from '#web/ui/classes.ts'
import styles from './Letter.module.css'
import formStyles from '#web/ui/inputs/Form.module.css'

/** Works without an account. */
export default function ReportPage() {
  const { isSent } = usePageData<typeof loader>()
  const { t } = useText()
  const navigate = useNavigate()
  const labels = {
    senderEmail: t('letterEmail'),
    topic: t('problemTopic'),
    emailText: t('problemText'),
  }
  const f = useLetterForm({
    name: 'report',
    labels,
    send: async (words) => {
      await api(mail.send, { ...words, kind: 'report' })
      await navigate(to.home())
      toast(t('problemSent'))
    },
  })
  return (
    <div className={classes(formStyles.slip, styles.letter)}>
      <form
        className={classes(formStyles.form, styles.form)}
        {...f.plainly}
        aria-labelledby="problem"
        onSubmit={(event) => void f.onSubmit(event)}
        noValidate
      >
        <div>
          <h1 id="problem">{t('reportTitle')}</h1>
          <p className="quiet">{t('problemLead')}</p>
        </div>
        {isSent && <p role="status">{t('problemSent')}</p>}
        <FormAlert alert={f.alert} heading={t('profileFailed')} />
        <input type="hidden" name="kind" value="report" />
        <LetterFields
          f={f}
          labels={labels}
          help={{ senderEmail: t('problemEmailHelp'), topic: t('problemTopicHelp') }}
          submit={t('problemSubmit')}
        />
      </form>
      <aside aria-labelledby="how">
        <h2 id="how">{t('problemHowTitle')}</h2>
        <ul className={styles.hints}>
          <li>{t('problemHowWhat')}</li>
          <li>{t('problemHowWhere')}</li>
          <li>{t('problemHowSecret')}</li>
        </ul>
      </aside>
    </div>
  )
}
