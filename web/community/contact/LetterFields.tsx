import type { ReactNode } from 'react'
import { MAIL_TEXT, TOPIC } from '#contract/limits.ts'
import { SubmitButton } from '#web/core/form/SubmitButton.tsx'
import { useText } from '#web/core/i18n.tsx'
import type { LetterWords, useLetterForm } from '#web/community/contact/letter-form.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextArea } from '#web/ui/inputs/TextArea.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import styles from '#web/ui/inputs/Form.module.css'

interface LetterFieldsProps {
  readonly f: ReturnType<typeof useLetterForm>
  readonly labels: Readonly<Record<keyof LetterWords, string>>
  readonly help: { readonly senderEmail: ReactNode; readonly topic: ReactNode }
  readonly submit: string
}

export function LetterFields({ f, labels, help, submit }: LetterFieldsProps) {
  const { t } = useText()
  const { register, errorOf, countOf } = f
  return (
    <>
      <Field label={labels.senderEmail} help={help.senderEmail} error={errorOf('senderEmail')}>
        {(wiring) => (
          <TextInput
            {...wiring}
            required
            type="email"
            autoComplete="email"
            defaultValue={f.ownEmail}
            {...register('senderEmail')}
          />
        )}
      </Field>
      <Field
        label={labels.topic}
        help={help.topic}
        error={errorOf('topic')}
        {...countOf('topic', TOPIC)}
      >
        {(wiring) => (
          <TextInput {...wiring} required dir="auto" autoComplete="off" {...register('topic')} />
        )}
      </Field>
      <Field
        label={labels.emailText}
        help={t('letterLengthHelp', { ...MAIL_TEXT })}
        error={errorOf('emailText')}
        {...countOf('emailText', MAIL_TEXT)}
      >
        {(wiring) => (
          <TextArea {...wiring} required rows={8} dir="auto" {...register('emailText')} />
        )}
      </Field>
      <div className={styles.submit}>
        <SubmitButton form={f} icon="send">
          {submit}
        </SubmitButton>
      </div>
    </>
  )
}
