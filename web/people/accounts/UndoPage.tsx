import { accounts } from '#contract/accounts.ts'
import { leaveEndedSession } from '#web/people/accounts/leave-ended.ts'
import { MailedLink } from '#web/people/accounts/mailed/MailedLink.tsx'
import type { loader } from '#web/people/accounts/UndoPage.data.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'

/** Undoes a change of the e-mail address. The link is in the notice to the previous address. */
export default function UndoPage() {
  const { token } = usePageData<typeof loader>()
  const { t } = useText()
  const next = (
    <ButtonLink as={Link} to={to.forgotPassword()}>
      {t('resetDeadNext')}
    </ButtonLink>
  )
  return (
    <MailedLink
      token={token}
      ask={{ title: 'undoTitle', what: 'undoWhat', submit: 'undoSubmit' }}
      done={{ title: 'undoDone', what: 'undoDoneWhat', next }}
      dead={{ what: 'undoDeadWhat', next }}
      send={async () => {
        await api(accounts.undoEmail, { token })
        await leaveEndedSession()
      }}
    />
  )
}
