import { useId, useMemo, useState } from 'react'
import { TotpFinish, TotpStart, factors } from '#contract/factors.ts'
import { CodesDialog } from '#web/people/accounts/factors/CodesDialog.tsx'
import { OwnPasswordField } from '#web/people/accounts/form/PasswordField.tsx'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormDialog } from '#web/core/form/FormDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { drawQr } from '#web/ui/qr/qr.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import styles from '#web/ui/qr/QrCode.module.css'

interface Begun {
  readonly secret: string
  readonly address: string
}

/** Three steps: the password, the app with its first code, and the recovery codes. */
export function SetUpDialog({
  hasPassword,
  onClose,
}: StepProps & { readonly hasPassword: boolean }) {
  const [begun, setBegun] = useState<Begun | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const step = { onClose }
  if (begun === null) return <PasswordStep {...step} hasPassword={hasPassword} onDone={setBegun} />
  if (codes === null) return <AppStep {...step} begun={begun} onDone={setCodes} />
  return <CodesDialog {...step} codes={codes} />
}

interface StepProps {
  readonly onClose: () => void
}

interface PasswordStepProps extends StepProps {
  readonly hasPassword: boolean
  readonly onDone: (begun: Begun) => void
}

function PasswordStep({ hasPassword, onClose, onDone }: PasswordStepProps) {
  const { t } = useText()
  const f = useAppForm({
    schema: TotpStart,
    defaults: {},
    labels: { ...(hasPassword && { password: t('passwordLabel') }) },
    required: hasPassword ? ['password'] : [],
    send: async (values) => onDone(await api(factors.beginTotp, values)),
  })
  return (
    <FormDialog
      onClose={onClose}
      title={t('factorTitle')}
      step={{ label: t('factorNext'), kind: 'main' }}
      form={f}
    >
      <p>{t('factorWhat')}</p>
      {hasPassword && (
        <OwnPasswordField error={f.errorOf('password')} {...f.register('password')} />
      )}
    </FormDialog>
  )
}

function AppStep(props: StepProps & { begun: Begun; onDone: (codes: readonly string[]) => void }) {
  const { begun, onClose, onDone } = props
  const { t } = useText()
  const keyId = useId()
  const qr = useMemo(() => drawQr(begun.address), [begun.address])
  const f = useAppForm({
    schema: TotpFinish,
    defaults: { code: '' },
    labels: { code: t('codeLabel') },
    required: ['code'],
    send: async (values) => onDone((await api(factors.finishTotp, values)).recoveryCodes),
  })
  return (
    <FormDialog
      onClose={onClose}
      title={t('factorTitle')}
      step={{ label: t('factorFinish'), kind: 'main' }}
      form={f}
    >
      <p>{t('factorScan')}</p>
      <svg
        className={styles.qr}
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        role="img"
        aria-label={t('factorQrAlt')}
        shapeRendering="crispEdges"
      >
        <path d={qr.path} />
      </svg>
      <label className="small quiet" htmlFor={keyId}>
        {t('factorKey')}
      </label>
      <TextInput
        id={keyId}
        readOnly
        value={begun.secret}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Field label={t('codeLabel')} error={f.errorOf('code')}>
        {(wiring) => (
          <TextInput
            {...wiring}
            inputMode="numeric"
            autoComplete="one-time-code"
            {...f.register('code')}
          />
        )}
      </Field>
    </FormDialog>
  )
}
