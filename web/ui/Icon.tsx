import sprite from '#web/ui/icons.svg?url'

/** Every drawing of the sprite but the mark and the coin, which have parts of their own. */
export type IconName =
  | 'bell'
  | 'bin'
  | 'block'
  | 'book'
  | 'check'
  | 'clip'
  | 'code'
  | 'down'
  | 'eye'
  | 'eye-off'
  | 'film'
  | 'flag'
  | 'grip'
  | 'heart'
  | 'left'
  | 'link'
  | 'list'
  | 'lock'
  | 'mail'
  | 'menu'
  | 'no'
  | 'ol'
  | 'out'
  | 'page'
  | 'pen'
  | 'play'
  | 'plus'
  | 'quote'
  | 'retry'
  | 'right'
  | 'search'
  | 'send'
  | 'share'
  | 'sort'
  | 'sound'
  | 'star'
  | 'star-half'
  | 'talk'
  | 'undo'
  | 'up'
  | 'user'
  | 'warn'
  | 'x'

interface IconProps {
  readonly name: IconName
  /** A heart that is given, a star that is on. */
  readonly filled?: boolean | undefined
}

/**
 * A line drawing beside words; never the only name of a thing, so it is hidden from readers.
 * The sprite is one cached file: drawn into each page it would cost every page 2 kB.
 */
export function Icon({ name, filled }: IconProps) {
  return (
    <svg className={filled ? 'i i-fill' : 'i'} aria-hidden="true">
      <use href={`${sprite}#i-${name}`} />
    </svg>
  )
}
