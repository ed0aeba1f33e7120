import type { WaysIn } from '#contract/ways-in.ts'

/** Returns false if the form would be refused, whatever it holds. */
export function mayRegister({ door, invitation }: WaysIn): boolean {
  return door === 'open' || door === 'domain' || (door === 'invitation' && invitation === 'valid')
}
