import { useState } from 'react'
import { chat } from '#contract/chat.ts'
import { fits } from '#contract/measure.ts'
import { flags } from '#contract/flags.ts'
import { FLAG_TEXT } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import type { ProfileCard } from '#contract/profiles.ts'
import type { Conversation } from '#web/chat/conversation.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import '#web/ui/styles/form.css'

interface BlockOrReportProps {
  readonly other: ProfileCard
  readonly conversation: Conversation
  readonly blocked: boolean
  readonly onBlocked: (blocked: boolean) => void
  readonly open: boolean
  readonly onClose: () => void
}

/** So many of their last messages can be chosen. */
const CHOICES = 50
/** Characters of one in the list of choices. */
const SHOWN = 60

/** Takes no more messages from a person, or tells the moderators of them or of a message of theirs. */
export function BlockOrReport(props: BlockOrReportProps) {
  const { other, conversation, blocked, onBlocked, open, onClose } = props
  const { t, tp, formatTime } = useText()
  const { id, userName: username } = other
  const [subject, setSubject] = useState('')
  const [text, setText] = useState('')
  const [left, setLeft] = useState(false)
  const [busy, setBusy] = useState<'block' | 'report' | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const isShort = !fits(text, FLAG_TEXT)
  const theirs = open ? conversation.said.filter((one) => !one.isOwn).slice(-CHOICES) : []

  const attempt = async (what: 'block' | 'report', step: () => Promise<void>) => {
    if (busy !== null) return
    setBusy(what)
    setFailure(null)
    try {
      await step()
      onClose()
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : t('somethingWrong'))
    } finally {
      setBusy(null)
    }
  }
  const block = () =>
    attempt('block', async () => {
      onBlocked((await api(blocked ? chat.unblock : chat.block, { id })).blocked)
    })
  const report = async () => {
    setLeft(true)
    if (isShort) return
    await attempt('report', async () => {
      const what =
        subject === ''
          ? ({ kind: 'profile', id } as const)
          : ({ kind: 'message', id: subject } as const)
      await api(flags.create, { ...what, text })
      setText('')
      setLeft(false)
      toast(t('reportSent'))
    })
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('blockOrReport', { username })}
      actions={<Button onClick={onClose}>{t('close')}</Button>}
    >
      {failure !== null && (
        <Alert heading={t('error')} focus>
          {failure}
        </Alert>
      )}
      <p>{t(blocked ? 'blockedNow' : 'blockWhat', { username })}</p>
      <p>
        <Button
          kind={blocked ? undefined : 'risk'}
          icon="lock"
          busy={busy === 'block'}
          onClick={() => void block()}
        >
          {t(blocked ? 'unblockPerson' : 'blockPerson', { username })}
        </Button>
      </p>
      <form
        className="form report"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void report()
        }}
      >
        <h3>{t('reportHead')}</h3>
        <Field label={t('reportSubject')}>
          {(wiring) => (
            <Select
              {...wiring}
              value={subject}
              onChange={(event) => setSubject(event.target.value)}
            >
              <option value="">{t('reportPerson', { username })}</option>
              {theirs.toReversed().map((one) => (
                <option key={one.id} value={one.id}>
                  {formatTime(one.date)} · {[...one.text].slice(0, SHOWN).join('')}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label={t('reportWhy')}
          error={left && isShort ? tp(message('flagTextMs', { ...FLAG_TEXT })) : undefined}
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
        <div className="submit">
          <Button kind="main" icon="flag" type="submit" busy={busy === 'report'}>
            {t('reportSubmit')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
