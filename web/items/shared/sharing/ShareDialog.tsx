import { useId, useRef, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { useSettings } from '#web/core/settings.ts'
import { copyText } from '#web/items/shared/sharing/copy.ts'
import { QrCode } from '#web/items/shared/sharing/QrCode.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import styles from './ShareDialog.module.css'

interface ShareDialogProps {
  readonly title: string
  /** A path on this site. */
  readonly path: string
  readonly onClose: () => void
}

type Copied = 'linkCopied' | 'linkNotCopied'

export function ShareDialog({ title, path, onClose }: ShareDialogProps) {
  const { t } = useText()
  const id = useId()
  const address = `${useSettings().origin}${path}`
  const field = useRef<HTMLInputElement>(null)
  const [copied, setCopied] = useState<Copied | null>(null)
  const copy = async () => {
    field.current?.select()
    setCopied((await copyText(address)) ? 'linkCopied' : 'linkNotCopied')
  }
  return (
    <Dialog
      onClose={onClose}
      title={t('shareTitle', { title })}
      actions={<Button onClick={onClose}>{t('close')}</Button>}
    >
      <div className={styles.share}>
        <label className="small quiet" htmlFor={id}>
          {t('address')}
        </label>
        <div className={styles.line}>
          <TextInput
            id={id}
            ref={field}
            readOnly
            value={address}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button kind="main" icon="link" onClick={() => void copy()}>
            {t('copyLink')}
          </Button>
        </div>
        <p className="small" role="status">
          {copied !== null && (
            <>
              <Icon name={copied === 'linkCopied' ? 'check' : 'warn'} /> {t(copied)}
            </>
          )}
        </p>
        {'share' in navigator && (
          <Button full icon="share" onClick={() => void shareBySystem(title, address)}>
            {t('shareVia')}
          </Button>
        )}
        <QrCode address={address} name={title} />
      </div>
    </Dialog>
  )
}

async function shareBySystem(title: string, url: string): Promise<void> {
  try {
    await navigator.share({ title, url })
  } catch {
    // `navigator.share` rejects when the dialog is closed, which is no error.
  }
}
