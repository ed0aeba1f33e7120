import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Button.module.css'

/** main: the page's main action. pay: spends points. risk: destroys something. bare: secondary. */
export type ButtonKind = 'main' | 'pay' | 'plain' | 'risk' | 'bare'

export interface ButtonLook {
  readonly kind?: ButtonKind | undefined
  readonly big?: boolean | undefined
  readonly full?: boolean | undefined
}

const KINDS: Readonly<Record<ButtonKind, string | undefined>> = {
  main: styles.main,
  pay: styles.pay,
  plain: undefined,
  risk: styles.risk,
  bare: styles.bare,
}

export const buttonClass = ({ kind = 'plain', big, full }: ButtonLook, more?: string) =>
  classes(styles.btn, KINDS[kind], big && styles.big, full && styles.full, more)
