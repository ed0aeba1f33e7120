import { oneOf, whole } from '#server/kernel/setting-kinds.ts'

export const pointsVariables = {
  WELCOME_POINTS: [whole(0, 1_000_000).default(0), '0', 'KB Points of a new user'],
  AUTHOR_SHARE: [
    whole(0, 50).default(10),
    '10',
    'Percent of what is paid for an item that go to its author, up to 1,000 KB Points an item',
  ],
  LESSON_ON_TRUST: [
    oneOf(['0', '1']).default('0'),
    '0',
    '1: newcomers may unlock their first lesson below zero, which their first reward repays',
  ],
  DAILY_REWARD_LIMIT: [whole(0, 10_000).default(10), '10', 'Rewarded lessons a UTC day'],
} as const
