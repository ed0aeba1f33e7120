import { certificates, type ValidCertificate } from '#contract/certificates.ts'
import { REASON } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import { api } from '#web/core/api.ts'
import { FormDialog, type FormDialogProps } from '#web/core/form/FormDialog.tsx'
import { ReasonDialog } from '#web/core/form/ReasonDialog.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'

interface EndDialogProps extends Pick<FormDialogProps, 'open' | 'onClose'> {
  readonly certificate: ValidCertificate
}

/** Asks once before a certificate ends: its owner withdraws it, an administrator says why they revoke it. */
export function EndDialog(props: EndDialogProps) {
  return props.certificate.can.withdraw ? <Withdraw {...props} /> : <Revoke {...props} />
}

function Withdraw({ certificate: { code }, open, onClose }: EndDialogProps) {
  const { t } = useText()
  const reload = useReload()
  const sending = useSending()
  const withdraw = async () => {
    await api(certificates.remove, { code })
    toast(t('certificateWithdrawnDone'))
    onClose()
    await reload()
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t('certificateWithdrawTitle')}
      step={{ label: t('certificateWithdraw'), kind: 'risk', icon: 'bin' }}
      sending={sending}
      onSubmit={() => void sending.send(withdraw)}
    >
      <p>{t('certificateWithdrawWhat')}</p>
    </FormDialog>
  )
}

function Revoke({ certificate: { code, name }, open, onClose }: EndDialogProps) {
  const { t, tp } = useText()
  const reload = useReload()
  return (
    <ReasonDialog
      open={open}
      onClose={onClose}
      title={t('certificateRevokeTitle')}
      step={{ label: t('certificateRevoke'), kind: 'risk', icon: 'bin' }}
      question={{
        label: t('certificateRevokeReason'),
        range: REASON,
        problem: tp(message('reasonValMs', { ...REASON })),
      }}
      send={async (reason) => {
        await api(certificates.remove, { code, reason })
        toast(t('certificateRevokedDone'))
        onClose()
        await reload()
      }}
    >
      <p>{t('certificateRevokeWhat', { name })}</p>
    </ReasonDialog>
  )
}
