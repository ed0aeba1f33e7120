import { accounts } from '#contract/accounts.ts'
import type { loader } from '#web/people/accounts/ConfirmPage.data.ts'
import { MailedLink } from '#web/people/accounts/mailed/MailedLink.tsx'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'

/** Asks for a press instead of confirming at once, because mail programs open links on their own. */
export default function ConfirmPage() {
  const { token } = usePageData<typeof loader>()
  const { t } = useText()
  const next = (
    <ButtonLink as={Link} to={to.account()}>
      {t('toAccount')}
    </ButtonLink>
  )
  return (
    <MailedLink
      token={token}
      ask={{ title: 'confirmTitle', what: 'confirmWhat', submit: 'confirmSubmit' }}
      done={{ title: 'confirmDone', what: 'confirmDoneWhat', next }}
      dead={{ what: 'confirmDeadWhat', next }}
      send={() => api(accounts.confirmEmail, { token })}
    />
  )
}
