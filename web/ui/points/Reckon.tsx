import type { ReactNode } from 'react'

interface ReckonProps {
  /** Name and sum; in a dialog the last line closes with a double rule. */
  readonly lines: readonly { readonly name: string; readonly sum: ReactNode }[]
}

/** A small sum in two or three lines. */
export function Reckon({ lines }: ReckonProps) {
  return (
    <dl className="reckon">
      {lines.map(({ name, sum }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{sum}</dd>
        </div>
      ))}
    </dl>
  )
}
