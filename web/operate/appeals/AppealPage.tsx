import * as z from 'zod/mini'
import { appeals, type Appeal } from '#contract/appeals.ts'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { SubmitButton } from '#web/core/form/SubmitButton.tsx'
import { useText } from '#web/core/i18n.tsx'
import { usePageData, useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Quoted } from '#web/core/Quoted.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { Time } from '#web/core/time/Time.tsx'
import { toast } from '#web/core/toast.ts'
import type { loader } from '#web/operate/appeals/AppealPage.data.ts'
import { ACT_WORDS } from '#web/operate/appeals/act-words.ts'
import { Statement } from '#web/operate/appeals/Statement.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextArea } from '#web/ui/inputs/TextArea.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/inputs/Form.module.css'
import statementStyles from './Statement.module.css'

/** A decision about the person, with its reasons, and their appeal against it. */
export default function AppealPage() {
  const { act, appeal } = usePageData<typeof loader>()
  const { t } = useText()
  return (
    <div className={classes(styles.slip)}>
      <div className={styles.form}>
        <div>
          <h1 id="appeal">{t('appealTitle')}</h1>
          <p className="quiet">
            <Time date={act.date} form="moment" />
          </p>
        </div>
        <p>{t(ACT_WORDS[act.action].what)}</p>
        <Statement act={act} />
        {appeal === null ? <AppealForm /> : <Answer appeal={appeal} />}
        <p>
          <Link to={to.notices()}>{t('noticesTitle')}</Link>
        </p>
      </div>
    </div>
  )
}

const AppealWords = z.pick(appeals.create.input, { text: true })

function AppealForm() {
  const { act } = usePageData<typeof loader>()
  const { t, formatDate } = useText()
  const reload = useReload()
  const f = useAppForm<{ text: string }>({
    schema: AppealWords,
    defaults: {},
    plain: true,
    labels: { text: t('appealText') },
    required: ['text'],
    send: async ({ text }) => {
      await api(appeals.create, { act: act.id, text })
      await reload()
      toast(t('appealSent'))
    },
  })
  return (
    <form
      className={styles.form}
      {...f.plainly}
      aria-labelledby="appeal"
      onSubmit={(event) => void f.onSubmit(event)}
      noValidate
    >
      <FormAlert alert={f.alert} />
      <Field label={t('appealText')} help={t('appealHelp')} error={f.errorOf('text')}>
        {(wiring) => <TextArea {...wiring} required rows={6} {...f.register('text')} />}
      </Field>
      <div className={styles.submit}>
        <SubmitButton form={f} big>
          {t('appealSend')}
        </SubmitButton>
        <p className="quiet">{t('appealUntil', { date: formatDate(act.until) })}</p>
      </div>
    </form>
  )
}

function Answer({ appeal: { text, date, decided } }: { readonly appeal: Appeal }) {
  const { t } = useText()
  return (
    <section className={statementStyles.statement} aria-labelledby="yours">
      <h2 id="yours">{t('appealYours')}</h2>
      <Quoted text={text} />
      <p className="quiet small">
        <Time date={date} form="moment" />
      </p>
      {decided === null ? (
        <p role="status">{t('appealSent')}</p>
      ) : (
        <>
          <h2>{t(decided.granted ? 'appealGrantedShort' : 'appealDeclinedShort')}</h2>
          <p>{t('pointsReason', { reason: decided.text })}</p>
          <p className="quiet small">
            <Time date={decided.date} form="moment" />
          </p>
        </>
      )}
    </section>
  )
}
