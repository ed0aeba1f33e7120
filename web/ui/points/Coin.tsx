import sprite from '#web/ui/icons.svg?url'

/** Use the dark one on the points colour. Decorative: Points adds the unit for screen readers. */
export function Coin({ dark }: { readonly dark?: boolean | undefined }) {
  return (
    <svg className="coin" aria-hidden="true">
      <use href={`${sprite}#${dark ? 'coin-dark' : 'coin'}`} />
    </svg>
  )
}
