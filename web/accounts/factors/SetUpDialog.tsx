import { type ReactNode, useId, useMemo, useState } from 'react'
import { TotpFinish, TotpStart, factors } from '#contract/factors.ts'
import { CodesDialog } from '#web/accounts/factors/CodesDialog.tsx'
import { api } from '#web/core/api.ts'
import { type FormState, useAppForm } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import { drawQr } from '#web/items/sharing/qr.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { PasswordInput } from '#web/ui/inputs/PasswordInput.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import styles from '#web/items/sharing/QrCode.module.css'
import formStyles from '#web/ui/inputs/Form.module.css'

interface Begun {
  readonly secret: string
  readonly address: string
}

/** Three steps in one dialog: the password, the app with its first code, the recovery codes. */
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
  const person = useSession()
  const f = useAppForm({
    schema: TotpStart,
    defaults: {},
    labels: { ...(hasPassword && { password: t('passwordLabel') }) },
    required: hasPassword ? ['password'] : [],
    send: async (values) => onDone(await api(factors.beginTotp, values)),
  })
  return (
    <Frame form={f} submit={t('factorNext')} onClose={onClose}>
      <p>{t('factorWhat')}</p>
      {hasPassword && (
        <>
          {/* For password managers: whose password this is. */}
          <input type="hidden" autoComplete="username" value={person?.username ?? ''} readOnly />
          <Field label={t('passwordLabel')} error={f.errorOf('password')}>
            {(wiring) => (
              <PasswordInput
                {...wiring}
                showLabel={t('showPassword')}
                hideLabel={t('hidePassword')}
                autoComplete="current-password"
                {...f.register('password')}
              />
            )}
          </Field>
        </>
      )}
    </Frame>
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
    <Frame form={f} submit={t('factorFinish')} onClose={onClose}>
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
    </Frame>
  )
}

interface FrameProps extends StepProps {
  readonly form: Pick<
    FormState<Record<string, string | undefined>>,
    'alert' | 'busy' | 'disabled' | 'reason' | 'onSubmit'
  >
  readonly submit: string
  readonly children: ReactNode
}

/** The dialog of a step with its one form. */
function Frame({ form, submit, onClose, children }: FrameProps) {
  const { t } = useText()
  const id = useId()
  const { alert, busy, disabled, reason } = form
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('factorTitle')}
      actions={
        <>
          <Button
            kind="main"
            type="submit"
            form={id}
            busy={busy}
            disabled={disabled}
            reason={reason}
          >
            {submit}
          </Button>{' '}
          <Button onClick={onClose}>{t('notNow')}</Button>
        </>
      }
    >
      <form id={id} className={formStyles.form} method="post" onSubmit={form.onSubmit} noValidate>
        <FormAlert alert={alert} />
        {children}
      </form>
    </Dialog>
  )
}
