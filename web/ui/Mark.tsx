import sprite from '#web/ui/icons.svg?url'

/** The site's logo, in the colour of the surrounding text. */
export function Mark() {
  return (
    <svg aria-hidden="true">
      <use href={`${sprite}#mark`} />
    </svg>
  )
}
