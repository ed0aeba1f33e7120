import { useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import { ReportDialog } from '#web/items/flags/ReportDialog.tsx'
import { mayReport, type ReportSubject } from '#web/items/flags/report-subject.ts'
import { Button } from '#web/ui/Button.tsx'

interface ReportButtonProps extends ReportSubject {
  /** The id of the user who owns the subject. */
  readonly ownerId: string
}

/** Renders nothing for guests and for the user's own items. */
export function ReportButton({ ownerId, ...subject }: ReportButtonProps) {
  const { t } = useText()
  const person = useSession()
  const [reported, setReported] = useState<ReportSubject | null>(null)
  if (person === null || !mayReport(person, ownerId)) return null
  return (
    <>
      <Button
        kind="bare"
        icon="flag"
        title={t('report')}
        aria-haspopup="dialog"
        onClick={() => setReported(subject)}
      >
        {t('report')}
      </Button>
      <ReportDialog subject={reported} onClose={() => setReported(null)} />
    </>
  )
}
