/**
 * The columns of the table: the shipped defaults with a lesson on trust, and the same with one rule changed by the
 * product's settings.
 */
import type { Settings } from '#server/kernel/settings/site-settings.ts'

export interface Rules {
  readonly title: string
  readonly config: Pick<
    Settings,
    'AUTHOR_SHARE' | 'WELCOME_POINTS' | 'DAILY_REWARD_LIMIT' | 'LESSON_ON_TRUST' | 'TITLE_WORDS'
  >
  readonly rewardsCopies: boolean
}

const ALL: Rules['config'] = {
  AUTHOR_SHARE: 10,
  WELCOME_POINTS: 0,
  DAILY_REWARD_LIMIT: 10,
  LESSON_ON_TRUST: true,
  TITLE_WORDS: [],
}

const NO_LIMIT = 1_000_000

export const RULES: Readonly<Record<string, Rules>> = {
  all: { title: 'all rules', config: ALL, rewardsCopies: false },
  noTrust: {
    title: 'without trust',
    config: { ...ALL, LESSON_ON_TRUST: false },
    rewardsCopies: false,
  },
  noCopies: { title: 'without the copies rule', config: ALL, rewardsCopies: true },
  noLimit: {
    title: 'without the daily limit',
    config: { ...ALL, DAILY_REWARD_LIMIT: NO_LIMIT },
    rewardsCopies: false,
  },
  noShare: {
    title: 'without the author’s share',
    config: { ...ALL, AUTHOR_SHARE: 0 },
    rewardsCopies: false,
  },
  halfShare: {
    title: 'with a share of 50%',
    config: { ...ALL, AUTHOR_SHARE: 50 },
    rewardsCopies: false,
  },
  welcome: {
    title: 'with 100 welcome points',
    config: { ...ALL, WELCOME_POINTS: 100 },
    rewardsCopies: false,
  },
}
