import sprite from '#web/ui/icons.svg?url'

interface MarkProps {
  /** Path of the site's own logo. */
  readonly logo?: string | undefined
}

/** The site's logo; the drawn one has the colour of the surrounding text. */
export function Mark({ logo }: MarkProps) {
  if (logo !== undefined) return <img src={logo} alt="" />
  return (
    <svg aria-hidden="true">
      <use href={`${sprite}#mark`} />
    </svg>
  )
}
