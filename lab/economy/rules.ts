/** The columns of the table: the shipped defaults, and the same without one rule, by settings of the product. */
import type { Config } from '#server/kernel/config.ts'

export interface Rules {
  readonly title: string
  readonly config: Pick<Config, 'AUTHOR_SHARE' | 'WELCOME_POINTS' | 'DAILY_REWARD_LIMIT'>
}

const SHIPPED = { AUTHOR_SHARE: 10, WELCOME_POINTS: 0, DAILY_REWARD_LIMIT: 10 }

const NO_LIMIT = 1_000_000

export const RULES: Readonly<Record<string, Rules>> = {
  shipped: { title: 'shipped defaults', config: SHIPPED },
  noLimit: {
    title: 'without the daily limit',
    config: { ...SHIPPED, DAILY_REWARD_LIMIT: NO_LIMIT },
  },
  noShare: { title: 'without the author’s share', config: { ...SHIPPED, AUTHOR_SHARE: 0 } },
  halfShare: { title: 'with a share of 50%', config: { ...SHIPPED, AUTHOR_SHARE: 50 } },
  welcome: { title: 'with 100 welcome points', config: { ...SHIPPED, WELCOME_POINTS: 100 } },
}
