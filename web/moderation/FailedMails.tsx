import { useState } from 'react'
import { mail, type OutboxMail } from '#contract/mail.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { FormAlert } from '#web/core/FormAlert.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'
import { MailTable } from '#web/moderation/MailTable.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

/** Mails that failed: selected, they are tried again or, after a question, given up. */
export function FailedMails({ mails }: { readonly mails: readonly OutboxMail[] }) {
  const { t } = useText()
  const { selected, choose, act, busy, failure } = useFailedMails(mails)
  const [asks, setAsks] = useState(false)
  const count = selected.length
  return (
    <>
      <FormAlert alert={failure} />
      <p className="sr" role="status">
        {count > 0 && t('deskSelected', { count })}
      </p>
      {count > 0 && (
        <section className="bulk" aria-label={t('deskSelection')}>
          <b className="num">{t('deskSelected', { count })}</b>
          <Button icon="retry" busy={busy} onClick={() => void act(mail.resend)}>
            {t('mailsRetry')}
          </Button>
          <Button icon="bin" aria-haspopup="dialog" onClick={() => setAsks(true)}>
            {t('mailsDrop')}
          </Button>
          <Button onClick={() => choose([])}>{t('clear')}</Button>
        </section>
      )}
      <MailTable
        label={t('mailsFailed')}
        mails={mails}
        state="failed"
        selection={{ selected, choose }}
      />
      <Dialog
        open={asks}
        onClose={() => setAsks(false)}
        title={t('mailsDropTitle', { count })}
        actions={
          <>
            <Button
              kind="risk"
              icon="bin"
              busy={busy}
              onClick={() => void act(mail.dropMails).then(() => setAsks(false))}
            >
              {t('mailsDrop')}
            </Button>
            <Button onClick={() => setAsks(false)}>{t('notNow')}</Button>
          </>
        }
      >
        <p>{t('mailsDropWhat')}</p>
      </Dialog>
    </>
  )
}

/** What is selected, and what is done with it. */
function useFailedMails(mails: readonly OutboxMail[]) {
  const { t } = useText()
  const reload = useReload()
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ text: string; status: number } | null>(null)
  // Of what is not on the page any more nothing is selected.
  const selected = mails.flatMap(({ id }) => (ticked.has(id) ? [id] : []))
  const choose = (ids: readonly number[]) => setTicked(new Set(ids))

  async function act(call: typeof mail.resend | typeof mail.dropMails): Promise<void> {
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      await api(call, { ids: selected })
      const count = selected.length
      toast(t(call === mail.resend ? 'mailsRetried' : 'mailsDropped', { count }))
      choose([])
      // The selection's bar goes, and the button in it: the page takes the focus.
      document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
      await reload()
    } catch (error) {
      const known = error instanceof ApiError
      setFailure({
        text: known ? error.message : t('somethingWrong'),
        status: known ? error.status : 0,
      })
    } finally {
      setBusy(false)
    }
  }
  return { selected, choose, act, busy, failure }
}
