import { lazy, Suspense, useState } from 'react'
import type { Factors } from '#contract/factors.ts'
import type { Passkey, Passkeys as Stored } from '#contract/passkeys.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { Time } from '#web/core/time/Time.tsx'
import { Button } from '#web/ui/Button.tsx'
import styles from './Passkeys.module.css'
import formStyles from '#web/ui/inputs/Form.module.css'

const AddDialog = lazy(async () => {
  const file = await import('#web/accounts/passkeys/AddPasskeyDialog.tsx')
  return { default: file.AddPasskeyDialog }
})
const RenameDialog = lazy(async () => {
  const file = await import('#web/accounts/passkeys/RenamePasskeyDialog.tsx')
  return { default: file.RenamePasskeyDialog }
})
const RemoveDialog = lazy(async () => {
  const file = await import('#web/accounts/passkeys/RemovePasskeyDialog.tsx')
  return { default: file.RemovePasskeyDialog }
})

type Opened = 'add' | { readonly step: 'rename' | 'remove'; readonly passkey: Passkey } | null

interface PasskeysProps {
  readonly stored: Stored
  readonly factors: Factors
}

/** One's passkeys: added, named, removed. What each step needs is loaded by its press. */
export function Passkeys({ stored, factors }: PasskeysProps) {
  const { t } = useText()
  const reload = useReload()
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => {
    setOpened(null)
    void reload()
  }
  // Where the address admits none any more, those that are there can still be removed.
  if (!stored.offered && stored.passkeys.length === 0) return null
  return (
    <section className={formStyles.form} aria-labelledby="passkeys">
      <div>
        <h2 id="passkeys">{t('passkeyTitle')}</h2>
        <p className="quiet">{t('passkeyWhat')}</p>
      </div>
      {stored.passkeys.length > 0 && (
        <ul className={styles.passkeys}>
          {stored.passkeys.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} onStep={setOpened} />
          ))}
        </ul>
      )}
      {stored.offered && (
        <div className={formStyles.submit}>
          <Button icon="plus" aria-haspopup="dialog" onClick={() => setOpened('add')}>
            {t('passkeyAdd')}
          </Button>
        </div>
      )}
      <Suspense>
        {opened === 'add' && <AddDialog factors={factors} onClose={close} />}
        {opened !== null && opened !== 'add' && opened.step === 'rename' && (
          <RenameDialog passkey={opened.passkey} onClose={close} />
        )}
        {opened !== null && opened !== 'add' && opened.step === 'remove' && (
          <RemoveDialog passkey={opened.passkey} factors={factors} onClose={close} />
        )}
      </Suspense>
    </section>
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
    <li>
      <div>
        <b>{name}</b>
        <p className="small quiet">
          <Rich id="passkeyAddedOn" components={{ date: <Time date={createdAt} /> }} />
          {', '}
          {usedAt === null ? (
            t('passkeyNever')
          ) : (
            <Rich id="passkeyUsedOn" components={{ date: <Time date={usedAt} /> }} />
          )}
          {synced && `, ${t('passkeySynced')}`}
        </p>
      </div>
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
    </li>
  )
}
