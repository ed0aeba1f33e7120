import sprite from '#web/ui/icons.svg?url'

/** The coin of KB Points; on saffron use the dark one. Words for readers stand beside it, see Points. */
export function Coin({ dark }: { readonly dark?: boolean | undefined }) {
  return (
    <svg className="coin" aria-hidden="true">
      <use href={`${sprite}#${dark ? 'coin-dark' : 'coin'}`} />
    </svg>
  )
}
