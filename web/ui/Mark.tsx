import sprite from '#web/ui/icons.svg?url'

/** The mark of the house, in the colour of the text round it. */
export function Mark() {
  return (
    <svg aria-hidden="true">
      <use href={`${sprite}#mark`} />
    </svg>
  )
}
