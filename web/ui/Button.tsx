import { type ReactNode, useId } from 'react'
import { PlainButton, type PlainButtonProps } from '#web/ui/PlainButton.tsx'

interface ButtonProps extends PlainButtonProps {
  /**
   * Why it can't be pressed; shown under it when it is `disabled`. Of a button that may be pressed until the script has
   * come it takes its room already, so that nothing moves then.
   */
  readonly reason?: ReactNode
}

/** Says a verb; a pay button says the number too. */
export function Button({ reason, ...rest }: ButtonProps) {
  const reasonId = useId()
  const says = reason !== undefined && rest.disabled === true
  return (
    <>
      <PlainButton {...rest} {...(says ? { 'aria-describedby': reasonId } : {})} />
      {reason !== undefined && (
        <p className={says ? 'help' : 'help unsaid'} id={reasonId}>
          {reason}
        </p>
      )}
    </>
  )
}
