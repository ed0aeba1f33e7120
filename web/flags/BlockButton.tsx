import { useState } from 'react'
import { chat } from '#contract/chat.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { api } from '#web/core/api.ts'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

interface BlockButtonProps {
  readonly person: ProfileCard
  readonly onBlocked: (blocked: boolean) => void
}

/** Takes no more messages and mails of a person, after saying what that means. */
export function BlockButton({ person, onBlocked }: BlockButtonProps) {
  const { t } = useText()
  const { id, userName: username } = person
  // A dialog stands in a paragraph only where a script put it: no HTML of the server may.
  const [asked, setAsked] = useState(false)
  const [open, setOpen] = useState(false)
  const { busy, failure, send } = useSending()
  const words = t('blockPerson', { username })
  const ask = () => {
    setAsked(true)
    setOpen(true)
  }
  const block = () =>
    send(async () => {
      onBlocked((await api(chat.block, { id })).blocked)
      setOpen(false)
    })
  return (
    <>
      <Button kind="bare" icon="no" aria-haspopup="dialog" onClick={ask}>
        {words}
      </Button>
      {asked && (
        <Dialog
          open={open}
          onClose={() => setOpen(false)}
          title={words}
          actions={
            <>
              <Button kind="risk" icon="no" busy={busy} onClick={() => void block()}>
                {words}
              </Button>{' '}
              <Button onClick={() => setOpen(false)}>{t('close')}</Button>
            </>
          }
        >
          {failure !== null && (
            <Alert heading={t('error')} focus>
              {failure.text}
            </Alert>
          )}
          <p>{t('blockWhat', { username })}</p>
        </Dialog>
      )}
    </>
  )
}
