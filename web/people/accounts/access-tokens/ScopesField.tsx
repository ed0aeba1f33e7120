import type { ComponentProps } from 'react'
import { SCOPES, type Scope } from '#contract/endpoint.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import styles from '#web/people/accounts/settings/Lines.module.css'

const WHAT: Readonly<Record<Scope, MessageKey>> = {
  read: 'tokenScopeRead',
  write: 'tokenScopeWrite',
  chat: 'tokenScopeChat',
  admin: 'tokenScopeAdmin',
}

interface ScopesFieldProps {
  readonly error: string | undefined
  readonly register: () => ComponentProps<'input'>
  /** Only administrators can grant the `admin` scope. */
  readonly isAdministrator: boolean
}

export function ScopesField({ error, register, isAdministrator }: ScopesFieldProps) {
  const { t } = useText()
  const offered = SCOPES.filter((scope) => scope !== 'admin' || isAdministrator)
  return (
    <Field label={t('tokenScopes')} error={error} name="scopes" group>
      {({ 'aria-labelledby': labelledBy, 'aria-describedby': describedBy }) => (
        <div
          className={styles.scopes}
          role="group"
          aria-labelledby={labelledBy}
          aria-describedby={describedBy}
        >
          {offered.map((scope) => (
            <Checkbox key={scope} value={scope} {...register()}>
              <code>{scope}</code> – {t(WHAT[scope])}
            </Checkbox>
          ))}
        </div>
      )}
    </Field>
  )
}
