import { useState } from 'react'
import { flags, type FlagKind } from '#contract/flags.ts'
import { FLAG_TEXT } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Quoted } from '#web/core/Quoted.tsx'
import { useSettings } from '#web/core/settings.ts'
import { toast } from '#web/core/toast.ts'
import type { ReportSubject } from '#web/items/flags/report-subject.ts'

const TITLES: Readonly<Record<FlagKind, MessageKey>> = {
  lesson: 'reportLesson',
  course: 'reportCourse',
  comment: 'reportComment',
  rating: 'reportRating',
  message: 'reportMessage',
  profile: 'reportProfile',
}

interface ReportDialogProps {
  /** Null if the dialog is closed. */
  readonly subject: ReportSubject | null
  readonly onClose: () => void
}

/** A list uses one dialog for all its items. It keeps the text typed about the last of them. */
export function ReportDialog({ subject, onClose }: ReportDialogProps) {
  const { t } = useText()
  const { mail } = useSettings()
  const [last, setLast] = useState(subject)
  if (subject !== null && subject !== last) setLast(subject)
  if (last === null) return null
  const { kind, id, name } = last
  return (
    <ConfirmDialog
      key={`${kind} ${id}`}
      open={subject !== null}
      onClose={onClose}
      title={t(TITLES[kind])}
      step={{ label: t('reportSubmit'), kind: 'main', icon: 'flag' }}
      question={{
        label: t('reportWhy'),
        help: t('reportWhoSees'),
        range: FLAG_TEXT,
        problem: message('flagTextMs', { ...FLAG_TEXT }),
        rows: 3,
      }}
      act={(text) => api(flags.create, { kind, id, text })}
      onDone={() => toast(t('reportSent'))}
      // The limit is for a day, so "try again in a moment" would be wrong.
      explain={(error) => (error.status === 429 ? t('reportTooMany', { mail }) : error.message)}
    >
      <Quoted text={name} />
    </ConfirmDialog>
  )
}
