import { lazy, Suspense, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import styles from '#web/ui/inputs/Form.module.css'

const EraseDialog = lazy(() =>
  import('#web/accounts/settings/EraseDialog.tsx').then((module) => ({
    default: module.EraseDialog,
  })),
)

/** Says what erasing the account takes away and what it leaves; the dialog comes when it is asked for. */
export function EraseAccount({ hasPassword }: { readonly hasPassword: boolean }) {
  const { t } = useText()
  const [asked, setAsked] = useState(0)
  const [open, setOpen] = useState(false)
  const ask = () => {
    setAsked(asked + 1)
    setOpen(true)
  }
  return (
    <section className={styles.form} aria-labelledby="erase">
      <div>
        <h2 id="erase">{t('eraseTitle')}</h2>
        <p className="quiet">{t('eraseGoes')}</p>
        <p className="quiet">{t('eraseStays')}</p>
        <p className="quiet">{t('eraseFirst')}</p>
      </div>
      <div className={styles.submit}>
        <Button kind="risk" icon="bin" aria-haspopup="dialog" onClick={ask}>
          {t('eraseAsk')}
        </Button>
      </div>
      {asked > 0 && (
        <Suspense>
          <EraseDialog
            hasPassword={hasPassword}
            key={asked}
            open={open}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </section>
  )
}
