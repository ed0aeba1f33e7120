import { classes } from '#web/ui/classes.ts'

/** main: the step of the page. pay: points move. risk: something is lost. bare: beside others. */
export type ButtonKind = 'main' | 'pay' | 'plain' | 'risk' | 'bare'

export interface ButtonLook {
  readonly kind?: ButtonKind | undefined
  readonly big?: boolean | undefined
  readonly full?: boolean | undefined
}

/** The classes of a button, shared by what presses and what leads away. */
export const buttonClass = ({ kind = 'plain', big, full }: ButtonLook, more?: string) =>
  classes('btn', kind !== 'plain' && kind, big && 'big', full && 'full', more)
