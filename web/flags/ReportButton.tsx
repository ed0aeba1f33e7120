import { useState } from 'react'
import { useHere } from '#web/core/here.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { ReportAsk } from '#web/flags/ReportAsk.tsx'
import { mayReport, type ReportSubject } from '#web/flags/report-subject.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'

interface ReportButtonProps extends ReportSubject {
  /** The user id of whose it is. */
  readonly owner: string
}

/** Tells the moderators of an item or a person; leads guests to the login, and is not there for one's own. */
export function ReportButton({ owner, ...subject }: ReportButtonProps) {
  const { t } = useText()
  const person = useSession()
  const here = useHere()
  const [asked, setAsked] = useState<ReportSubject | null>(null)
  if (person === null) {
    return (
      <ButtonLink as={Link} kind="bare" icon="flag" to={to.login(here)}>
        {t('report')}
      </ButtonLink>
    )
  }
  if (!mayReport(person, owner)) return null
  return (
    <>
      <Button kind="bare" icon="flag" aria-haspopup="dialog" onClick={() => setAsked(subject)}>
        {t('report')}
      </Button>
      <ReportAsk subject={asked} onClose={() => setAsked(null)} />
    </>
  )
}
