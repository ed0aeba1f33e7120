import { useId, useRef, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { TextArea } from '#web/ui/inputs/TextArea.tsx'
import styles from '#web/people/accounts/settings/Lines.module.css'

interface MadeDialogProps {
  readonly token: string
  readonly onClose: () => void
}

/** The server reveals a token only once. */
export function MadeDialog({ token, onClose }: MadeDialogProps) {
  const { t } = useText()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [copied, setCopied] = useState<boolean | null>(null)

  async function copy(): Promise<void> {
    field.current?.select()
    try {
      await navigator.clipboard.writeText(token)
      setCopied(true)
    } catch {
      setCopied(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('tokenMade')}
      actions={
        <>
          <Button kind="main" icon="link" onClick={() => void copy()}>
            {t('tokenCopy')}
          </Button>{' '}
          <Button onClick={onClose}>{t('tokenMadeDone')}</Button>
        </>
      }
    >
      <div className={styles.tokenValue}>
        <p>{t('tokenMadeWhat')}</p>
        <label className="small quiet" htmlFor={id}>
          {t('tokenValue')}
        </label>
        <TextArea
          id={id}
          ref={field}
          readOnly
          rows={2}
          spellCheck={false}
          value={token}
          onFocus={(event) => event.currentTarget.select()}
        />
        <p className="small" role="status">
          {copied !== null && (
            <>
              <Icon name={copied ? 'check' : 'warn'} />{' '}
              {copied ? t('tokenCopied') : t('tokenNotCopied')}
            </>
          )}
        </p>
      </div>
    </Dialog>
  )
}
