import { useState } from 'react'
import { certificates, type ValidCertificate } from '#contract/certificates.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { toast } from '#web/core/toast.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Certificate.module.css'

/** Owners can list or withdraw a certificate, administrators can revoke it. */
export function OwnSteps({ certificate }: { readonly certificate: ValidCertificate }) {
  const { t } = useText()
  const { can } = certificate
  const [asked, setAsked] = useState(false)
  if (!can.withdraw && !can.revoke) return null
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
        <Button kind="risk" icon="bin" aria-haspopup="dialog" onClick={() => setAsked(true)}>
          {t(can.withdraw ? 'certificateWithdraw' : 'certificateRevoke')}
        </Button>
      </p>
      {can.withdraw && (
        <p className="small">
          <Link to={to.certificates()}>{t('certificatesYours')}</Link>
        </p>
      )}
      {asked && <EndDialog certificate={certificate} onClose={() => setAsked(false)} />}
    </section>
  )
}

interface EndDialogProps {
  readonly certificate: ValidCertificate
  readonly onClose: () => void
}

/** An administrator must give a reason. */
function EndDialog({ certificate: { can, code, name }, onClose }: EndDialogProps) {
  const { t } = useText()
  const reload = useReload()
  const isOwn = can.withdraw
  return (
    <ConfirmDialog
      onClose={onClose}
      title={t(isOwn ? 'certificateWithdrawTitle' : 'certificateRevokeTitle')}
      step={{
        label: t(isOwn ? 'certificateWithdraw' : 'certificateRevoke'),
        kind: 'risk',
        icon: 'bin',
      }}
      question={isOwn ? undefined : { label: t('certificateRevokeReason') }}
      act={(reason) => api(certificates.remove, isOwn ? { code } : { code, reason })}
      onDone={() => {
        toast(t(isOwn ? 'certificateWithdrawnDone' : 'certificateRevokedDone'))
        void reload()
      }}
    >
      <p>{isOwn ? t('certificateWithdrawWhat') : t('certificateRevokeWhat', { name })}</p>
    </ConfirmDialog>
  )
}

/** Resets the checkbox if the change could not be saved. */
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
