import { type ReactNode, useId } from 'react'
import { PlainButton, type PlainButtonProps } from '#web/ui/PlainButton.tsx'

interface ButtonProps extends PlainButtonProps {
  /** Why it can't be pressed; shown under it. Give it together with `disabled`. */
  readonly reason?: ReactNode
}

/** Says a verb; a pay button says the number too. */
export function Button({ reason, ...rest }: ButtonProps) {
  const reasonId = useId()
  const says = reason !== undefined && rest.disabled === true
  return (
    <>
      <PlainButton {...rest} {...(says ? { 'aria-describedby': reasonId } : {})} />
      {says && (
        <p className="help" id={reasonId}>
          {reason}
        </p>
      )}
    </>
  )
}
