import sprite from '#web/ui/icons.svg?url'

/** All icons of the sprite except the logo and the coin, which have their own components. */
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
  readonly filled?: boolean | undefined
}

/** Decorative, so it needs a text beside it. A cached sprite, because inlining it would add 2 kB to every page. */
export function Icon({ name, filled }: IconProps) {
  return (
    <svg className={filled ? 'i i-fill' : 'i'} aria-hidden="true">
      <use href={`${sprite}#i-${name}`} />
    </svg>
  )
}
