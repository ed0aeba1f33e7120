import { useState } from 'react'
import { flags, type CopyOutcome, type Flag } from '#contract/flags.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

const DECIDED: Readonly<Record<CopyOutcome, MessageKey>> = {
  copy: 'copyWasConfirmed',
  fine: 'copyWasDenied',
  removed: 'copyWasRemoved',
}

interface CopyActsProps {
  readonly flag: Flag
  readonly isBusy: boolean
  readonly attempt: (step: () => Promise<void>) => Promise<void>
  /** Called with the updated report. */
  readonly onChange: (flag: Flag) => void
}

/** The three decisions about a reported copy, or the one that was made with its undo. */
export function CopyActs({ flag, isBusy, attempt, onChange }: CopyActsProps) {
  const { t } = useText()
  const [removes, setRemoves] = useState(false)
  const { id, outcome, subject } = flag
  const described = { busy: isBusy, 'aria-describedby': `flag-${id}` }
  const decide = (decision?: CopyOutcome) =>
    void attempt(async () => onChange(await api(flags.decide, { id, outcome: decision })))
  if (outcome !== null)
    return (
      <>
        <b>{t(DECIDED[outcome])}</b>
        <Button icon="undo" {...described} onClick={() => decide()}>
          {t('copyUndo')}
        </Button>
      </>
    )
  if (subject.gone) return null
  return (
    <>
      <Button kind="main" icon="check" {...described} onClick={() => decide('copy')}>
        {t('copyConfirm')}
      </Button>
      <Button icon="no" {...described} onClick={() => decide('fine')}>
        {t('copyDeny')}
      </Button>
      <Button
        kind="risk"
        icon="bin"
        {...described}
        aria-haspopup="dialog"
        onClick={() => setRemoves(true)}
      >
        {t('copyRemove')}
      </Button>
      {removes && (
        <ConfirmDialog
          onClose={() => setRemoves(false)}
          title={t('copyRemove')}
          step={{ label: t('copyRemove'), kind: 'risk', icon: 'bin' }}
          question={{ label: t('copyRemoveReason') }}
          act={(reason) => api(flags.decide, { id, outcome: 'removed', reason })}
          onDone={onChange}
        >
          <p>{t('copyRemoveWhat')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
