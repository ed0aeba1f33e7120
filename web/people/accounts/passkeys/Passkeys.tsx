import { useState } from 'react'
import type { Factors } from '#contract/factors.ts'
import { passkeys, type Passkey, type Passkeys as Stored } from '#contract/passkeys.ts'
import { DemandedFactor } from '#web/people/accounts/factors/DemandedFactor.tsx'
import { AddPasskeyDialog } from '#web/people/accounts/passkeys/AddPasskeyDialog.tsx'
import { RenamePasskeyDialog } from '#web/people/accounts/passkeys/RenamePasskeyDialog.tsx'
import { SettingsLine } from '#web/people/accounts/settings/SettingsLine.tsx'
import { SettingsSection } from '#web/people/accounts/settings/SettingsSection.tsx'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { Rich, useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { Time } from '#web/core/time/Time.tsx'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'
import styles from './Passkeys.module.css'

type Opened = 'add' | { readonly step: 'rename' | 'remove'; readonly passkey: Passkey } | null

interface PasskeysProps {
  readonly stored: Stored
  readonly factors: Factors
}

export function Passkeys({ stored, factors }: PasskeysProps) {
  const { t } = useText()
  const reload = useReload()
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => {
    setOpened(null)
    void reload()
  }
  // If the site's address no longer allows passkeys, existing ones can still be removed.
  if (!stored.offered && stored.passkeys.length === 0) return null
  return (
    <SettingsSection
      id="passkeys"
      title={t('passkeyTitle')}
      lead={[t('passkeyWhat')]}
      actions={
        stored.offered && (
          <Button icon="plus" aria-haspopup="dialog" onClick={() => setOpened('add')}>
            {t('passkeyAdd')}
          </Button>
        )
      }
    >
      {stored.passkeys.length > 0 && (
        <ul className={styles.passkeys}>
          {stored.passkeys.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} onStep={setOpened} />
          ))}
        </ul>
      )}
      {opened === 'add' && <AddPasskeyDialog factors={factors} onClose={close} />}
      {opened !== null && opened !== 'add' && opened.step === 'rename' && (
        <RenamePasskeyDialog passkey={opened.passkey} onClose={close} />
      )}
      {opened !== null && opened !== 'add' && opened.step === 'remove' && (
        <RemoveDialog passkey={opened.passkey} factors={factors} onClose={close} />
      )}
    </SettingsSection>
  )
}

interface RemoveDialogProps extends Pick<PasskeysProps, 'factors'> {
  readonly passkey: Passkey
  readonly onClose: () => void
}

/** Explains what removing the last passkey means. `api` asks for a confirmation of identity if needed. */
function RemoveDialog({ passkey: { id, name }, factors, onClose }: RemoveDialogProps) {
  const { t } = useText()
  const isLast = !factors.app && factors.passkeys === 1
  return (
    <ConfirmDialog
      onClose={onClose}
      title={t('passkeyRemoveAsk', { name })}
      step={{ label: t('passkeyRemove'), kind: 'risk', icon: 'bin' }}
      act={() => api(passkeys.remove, { id })}
      onDone={() => {
        void import('#web/core/passkeys/signal.ts').then(({ signalPasskeys }) => signalPasskeys())
        toast(t('passkeyRemoved'))
      }}
    >
      <p>{t('passkeyRemoveWhat')}</p>
      {isLast && <p>{t('passkeyLastRemove')}</p>}
      {isLast && <DemandedFactor of={factors.demandedOf} />}
    </ConfirmDialog>
  )
}

interface PasskeyLineProps {
  readonly passkey: Passkey
  readonly onStep: (opened: Opened) => void
}

function PasskeyLine({ passkey, onStep }: PasskeyLineProps) {
  const { t } = useText()
  const { name, createdAt, usedAt, synced } = passkey
  return (
    <SettingsLine
      name={name}
      facts={
        <>
          <Rich id="passkeyAddedOn" components={{ date: <Time date={createdAt} /> }} />
          {', '}
          {usedAt === null ? (
            t('passkeyNever')
          ) : (
            <Rich id="passkeyUsedOn" components={{ date: <Time date={usedAt} /> }} />
          )}
          {synced && `, ${t('passkeySynced')}`}
        </>
      }
    >
      <div className="row">
        <Button
          kind="bare"
          icon="pen"
          aria-haspopup="dialog"
          aria-label={t('passkeyRenameOf', { name })}
          onClick={() => onStep({ step: 'rename', passkey })}
        >
          {t('passkeyRename')}
        </Button>
        <Button
          kind="bare"
          icon="bin"
          aria-haspopup="dialog"
          aria-label={t('passkeyRemoveOf', { name })}
          onClick={() => onStep({ step: 'remove', passkey })}
        >
          {t('passkeyRemove')}
        </Button>
      </div>
    </SettingsLine>
  )
}
