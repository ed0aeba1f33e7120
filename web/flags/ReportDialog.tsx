import { useId, useState } from 'react'
import type { FlagKind } from '#contract/flags.schemas.ts'
import { flags } from '#contract/flags.ts'
import { FLAG_TEXT } from '#contract/limits.ts'
import { fits, lengthOf, normalizeText } from '#contract/measure.ts'
import { message } from '#contract/message.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { useSettings } from '#web/core/settings.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { toast } from '#web/core/toast.ts'
import type { ReportSubject } from '#web/flags/report-subject.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextArea } from '#web/ui/inputs/TextArea.tsx'
import '#web/ui/styles/form.css'

const TITLES: Readonly<Record<FlagKind, MessageKey>> = {
  lesson: 'reportLesson',
  course: 'reportCourse',
  comment: 'reportComment',
  message: 'reportMessage',
  profile: 'reportProfile',
}

interface ReportDialogProps {
  readonly subject: ReportSubject
  readonly open: boolean
  readonly onClose: () => void
}

/** Asks what is wrong and tells the moderators. What was written stays until it is sent. */
export function ReportDialog({ subject, open, onClose }: ReportDialogProps) {
  const { t, tp } = useText()
  const { mail } = useSettings()
  const form = useId()
  const { kind, id, name } = subject
  const [text, setText] = useState('')
  const [left, setLeft] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ readonly text: string } | null>(null)
  const length = lengthOf(normalizeText(text))
  const isWrong = !fits(text, FLAG_TEXT)

  const send = async () => {
    setLeft(true)
    if (isWrong || busy) return
    setBusy(true)
    setFailure(null)
    try {
      await api(flags.create, { kind, id, text })
      setText('')
      setLeft(false)
      toast(t('reportSent'))
      onClose()
    } catch (error) {
      setFailure({ text: wordsOf(error) })
    } finally {
      setBusy(false)
    }
  }
  const wordsOf = (error: unknown) => {
    if (!(error instanceof ApiError)) return t('somethingWrong')
    // The limit is a day's: "a moment" would not do.
    return error.status === 429 ? t('reportTooMany', { mail }) : error.message
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t(TITLES[kind])}
      actions={
        <>
          <Button kind="main" icon="flag" type="submit" form={form} busy={busy}>
            {t('reportSubmit')}
          </Button>
          <Button onClick={onClose}>{t('notNow')}</Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        {failure !== null && (
          <Alert heading={t('error')} focus>
            {failure.text}
          </Alert>
        )}
        <blockquote className="quoted" lang={textLanguage(name)} dir="auto">
          {name}
        </blockquote>
        <Field
          label={t('reportWhy')}
          help={t('reportWhoSees')}
          error={left && isWrong ? tp(message('flagTextMs', { ...FLAG_TEXT })) : undefined}
          count={t('count', { length, max: FLAG_TEXT.max })}
          over={length > FLAG_TEXT.max}
        >
          {(wiring) => (
            <TextArea
              {...wiring}
              rows={3}
              dir="auto"
              value={text}
              onChange={(event) => setText(event.target.value)}
              onBlur={() => setLeft(text !== '')}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
