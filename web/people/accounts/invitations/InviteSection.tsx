import { useState } from 'react'
import { invitations } from '#contract/invitations.ts'
import { api } from '#web/core/api.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { LinkDialog } from '#web/people/accounts/invitations/LinkDialog.tsx'
import { Button } from '#web/ui/Button.tsx'

/** For sites where everybody may invite. */
export function InviteSection() {
  const { t } = useText()
  const [link, setLink] = useState<string | null>(null)
  const { busy, failure, send } = useSending()
  const make = () => send(async () => setLink((await api(invitations.createOwn, {})).link))
  return (
    <section aria-labelledby="invite">
      <h2 id="invite">{t('inviteTitle')}</h2>
      <p className="quiet">{t('inviteText')}</p>
      <FormAlert alert={failure} />
      <p>
        <Button icon="plus" busy={busy} onClick={() => void make()}>
          {t('invitationMake')}
        </Button>
      </p>
      {link !== null && <LinkDialog link={link} onClose={() => setLink(null)} />}
    </section>
  )
}
