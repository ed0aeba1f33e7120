import { type ComponentProps, useEffect, useId, useState } from 'react'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

interface CodeFieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  readonly error?: string | undefined
  /** Focuses the field on mount. In HTML from the server, it does so only if no other element has the focus. */
  readonly focus?: boolean
}

export function CodeField({ error, focus = false, ...input }: CodeFieldProps) {
  const { t } = useText()
  const codeId = useId()
  const isLive = useHydrated()
  const [cameWithPage] = useState(!isLive)
  useEffect(() => {
    const isTaken = cameWithPage && document.activeElement !== document.body
    if (focus && !isTaken)
      document.querySelector<HTMLInputElement>(`[data-code="${codeId}"]`)?.focus()
  }, [focus, codeId, cameWithPage])
  return (
    <Field label={t('codeLabel')} help={t('codeHelp')} error={error}>
      {(wiring) => (
        <TextInput
          {...wiring}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          data-code={codeId}
          {...input}
        />
      )}
    </Field>
  )
}
