import { lazy, Suspense, useState } from 'react'
import type { ReportSubject } from '#web/flags/report-subject.ts'

const ReportDialog = lazy(async () => {
  const module = await import('#web/flags/ReportDialog.tsx')
  return { default: module.ReportDialog }
})

interface ReportAskProps {
  /** Null: the dialog is closed. */
  readonly subject: ReportSubject | null
  readonly onClose: () => void
}

/** The dialog that reports; fetched by who opens it first. Lists place one for all their lines. */
export function ReportAsk({ subject, onClose }: ReportAskProps) {
  const [last, setLast] = useState(subject)
  if (subject !== null && subject !== last) setLast(subject)
  if (last === null) return null
  return (
    <Suspense>
      <ReportDialog
        key={`${last.kind} ${last.id}`}
        subject={last}
        open={subject !== null}
        onClose={onClose}
      />
    </Suspense>
  )
}
