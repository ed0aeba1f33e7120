import { type ComponentProps, useEffect, useId } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

interface CodeFieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  readonly error?: string | undefined
  /** It appears after the password was taken, as the one thing that is left to do, and takes the focus. */
  readonly focus?: boolean
}

/** The code of an authenticator app, or a recovery code. */
export function CodeField({ error, focus = false, ...input }: CodeFieldProps) {
  const { t } = useText()
  const place = useId()
  useEffect(() => {
    if (focus) document.querySelector<HTMLInputElement>(`[data-code="${place}"]`)?.focus()
  }, [focus, place])
  return (
    <Field label={t('codeLabel')} help={t('codeHelp')} error={error}>
      {(wiring) => (
        <TextInput
          {...wiring}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          data-code={place}
          {...input}
        />
      )}
    </Field>
  )
}
