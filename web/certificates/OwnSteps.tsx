import { lazy, Suspense, useState } from 'react'
import { certificates, type ValidCertificate } from '#contract/certificates.ts'
import { api } from '#web/core/api.ts'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { toast } from '#web/core/toast.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Certificate.module.css'

const EndDialog = lazy(async () => {
  const { EndDialog: Dialog } = await import('#web/certificates/EndDialog.tsx')
  return { default: Dialog }
})

/** For its owner: whether search engines find it, and to withdraw it. For an administrator: to revoke it. */
export function OwnSteps({ certificate }: { readonly certificate: ValidCertificate }) {
  const { t } = useText()
  const { can } = certificate
  const [asked, setAsked] = useState(false)
  const [open, setOpen] = useState(false)
  if (!can.withdraw && !can.revoke) return null
  const ask = () => {
    setAsked(true)
    setOpen(true)
  }
  return (
    <section className={styles.ownCertificate} aria-labelledby="own-certificate">
      {can.withdraw ? (
        <>
          <h2 id="own-certificate">{t('certificateOwn')}</h2>
          <p>{t('certificateOpenToAll')}</p>
          {can.list && <Listed certificate={certificate} />}
        </>
      ) : (
        <h2 id="own-certificate">{t('certificate')}</h2>
      )}
      <p className={classes('acts', styles.acts)}>
        <Button kind="risk" icon="bin" aria-haspopup="dialog" onClick={ask}>
          {t(can.withdraw ? 'certificateWithdraw' : 'certificateRevoke')}
        </Button>
      </p>
      {can.withdraw && (
        <p className="small">
          <Link to={to.certificates()}>{t('certificatesYours')}</Link>
        </p>
      )}
      {asked && (
        <Suspense>
          <EndDialog certificate={certificate} open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  )
}

/** The tick goes back when it could not be stored. */
function Listed({ certificate: { code, listed } }: { readonly certificate: ValidCertificate }) {
  const { t } = useText()
  const [now, setNow] = useState(listed)
  const sending = useSending()
  const change = (next: boolean) => {
    if (sending.busy) return
    setNow(next)
    void sending.send(async () => {
      try {
        await api(certificates.list, { code, listed: next })
      } catch (error) {
        setNow(!next)
        throw error
      }
      toast(t(next ? 'certificateListedYes' : 'certificateListedNo'))
    })
  }
  return (
    <>
      <Checkbox checked={now} onChange={({ target }) => change(target.checked)}>
        {t('certificateListed')}
      </Checkbox>
      {sending.failure !== null && <Alert heading={t('error')}>{sending.failure.text}</Alert>}
    </>
  )
}
