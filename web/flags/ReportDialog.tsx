import { flags, type FlagKind } from '#contract/flags.ts'
import { FLAG_TEXT } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { api } from '#web/core/api.ts'
import { ReasonDialog } from '#web/core/form/ReasonDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useSettings } from '#web/core/settings.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { toast } from '#web/core/toast.ts'
import type { ReportSubject } from '#web/flags/report-subject.ts'
import styles from '#web/ui/styles/Note.module.css'

const TITLES: Readonly<Record<FlagKind, MessageKey>> = {
  lesson: 'reportLesson',
  course: 'reportCourse',
  comment: 'reportComment',
  rating: 'reportRating',
  message: 'reportMessage',
  profile: 'reportProfile',
}

interface ReportDialogProps {
  readonly subject: ReportSubject
  readonly open: boolean
  readonly onClose: () => void
}

/** Asks what is wrong and reports it to the moderators. */
export function ReportDialog({ subject, open, onClose }: ReportDialogProps) {
  const { t, tp } = useText()
  const { mail } = useSettings()
  const { kind, id, name } = subject
  return (
    <ReasonDialog
      open={open}
      onClose={onClose}
      title={t(TITLES[kind])}
      step={{ label: t('reportSubmit'), kind: 'main', icon: 'flag' }}
      question={{
        label: t('reportWhy'),
        help: t('reportWhoSees'),
        range: FLAG_TEXT,
        problem: tp(message('flagTextMs', { ...FLAG_TEXT })),
        rows: 3,
      }}
      send={async (text) => {
        await api(flags.create, { kind, id, text })
        toast(t('reportSent'))
        onClose()
      }}
      // The limit is a day's: "a moment" would not do.
      explain={(error) => (error.status === 429 ? t('reportTooMany', { mail }) : error.message)}
    >
      <blockquote className={styles.quoted} lang={textLanguage(name)} dir="auto">
        {name}
      </blockquote>
    </ReasonDialog>
  )
}
