import { type ReactNode, useState } from 'react'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { Alert } from '#web/ui/Alert.tsx'

export interface FormAlertProps {
  readonly alert: {
    readonly text: string
    /** True if the focus goes to a field instead of the alert. */
    readonly hasField?: boolean
  } | null
  /** Default: "Error". */
  readonly heading?: string | undefined
  /** Actions that the user can take, shown after the text. */
  readonly children?: ReactNode
}

/**
 * Each refusal is a new alert, which takes the focus and is announced again. One that came with the page's HTML takes
 * the focus only if no other element has it.
 */
export function FormAlert({ alert, heading, children }: FormAlertProps) {
  const { t } = useText()
  const isLive = useHydrated()
  const [first] = useState(isLive ? null : alert)
  if (alert === null) return null
  const focus = !alert.hasField && (alert === first ? 'free' : true)
  return (
    <Alert key={refusalNumber(alert)} heading={heading ?? t('error')} focus={focus}>
      {alert.text} {children}
    </Alert>
  )
}

const numbers = new WeakMap<object, number>()
let last = 0

/** Numbers refusals by object identity, because the same text twice is two refusals. */
function refusalNumber(alert: object): number {
  const known = numbers.get(alert)
  if (known !== undefined) return known
  last += 1
  numbers.set(alert, last)
  return last
}
