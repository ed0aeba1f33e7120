import { type ComponentProps, useEffect, useId, useState } from 'react'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

interface CodeFieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  readonly error?: string | undefined
  /**
   * It appears after the password was taken, as the one thing that is left to do, and takes the focus: from nobody who
   * is typing already where it came with the page.
   */
  readonly focus?: boolean
}

/** The code of an authenticator app, or a recovery code. */
export function CodeField({ error, focus = false, ...input }: CodeFieldProps) {
  const { t } = useText()
  const place = useId()
  const isLive = useHydrated()
  const [cameWithPage] = useState(!isLive)
  useEffect(() => {
    const isTaken = cameWithPage && document.activeElement !== document.body
    if (focus && !isTaken)
      document.querySelector<HTMLInputElement>(`[data-code="${place}"]`)?.focus()
  }, [focus, place, cameWithPage])
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
