import { classes } from '#web/ui/classes.ts'
import styles from './Sheet.module.css'

const TEETH = 28

/** The wavy edge of a wax seal, centred at 0. */
function edge(): string {
  const points = Array.from({ length: TEETH * 2 }, (_, place) => {
    const angle = (Math.PI * place) / TEETH
    const reach = place % 2 === 0 ? 48 : 44
    return `${(Math.sin(angle) * reach).toFixed(1)} ${(-Math.cos(angle) * reach).toFixed(1)}`
  })
  return `M${points.join('L')}z`
}
const EDGE = edge()
/** The site's logo, as in icons.svg: awning, stripes and open book. */
const AWNING =
  'M6 3H10L8.2 10.5a2.6 2.6 0 0 1-5.2 0zM14 3H18L18.6 10.5a2.6 2.6 0 0 1-5.2 0zM22 3H26L29 10.5a2.6 2.6 0 0 1-5.2 0z'
const STRIPES = 'M10 3H14L13.4 10.5a2.6 2.6 0 0 1-5.2 0zM18 3H22L23.8 10.5a2.6 2.6 0 0 1-5.2 0z'
const BOOK =
  'M15.2 19.4C12.7 17.5 8.8 16.8 4.5 17.2v10.3c4.3-.4 8.2.3 10.7 2.2zM16.8 19.4c2.5-1.9 6.4-2.6 10.7-2.2v10.3c-4.3-.4-8.2.3-10.7 2.2z'

/** Decorative. */
export function Seal({ className }: { readonly className?: string | undefined }) {
  return (
    <svg className={classes(styles.seal, className)} viewBox="-52 -52 104 132" aria-hidden="true">
      <g className={styles.tails}>
        <path d="M-24 28-34 78-19 68-9 78 2 34z" />
        <path d="M24 28 34 78 19 68 9 78-2 34z" />
      </g>
      <path className={styles.wax} d={EDGE} />
      <circle className={styles.ring} r="38" />
      <circle className={classes(styles.ring, styles.thin)} r="34.5" />
      <g className={styles.mark} transform="translate(-24.5 -25) scale(1.53)">
        <path d={AWNING + BOOK} />
        <path d={STRIPES} opacity=".5" />
      </g>
    </svg>
  )
}
