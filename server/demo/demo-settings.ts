/** Settings with which the demo content is made, whatever those of the site are. */
import type { Current } from '#server/kernel/settings/site-settings.ts'
import { people } from '#server/demo/content/people.ts'

export type DemoSettings = Current<'WELCOME_POINTS' | 'AUTHOR_SHARE' | 'TITLE_WORDS'>

export const ALL_REWARDED = {
  current: { DAILY_REWARD_LIMIT: people.length * 10, TITLE_WORDS: [] },
}

export const withOpenDoor = ({ current }: DemoSettings) => ({
  current: { ...current, REGISTRATION: 'open' as const, REGISTRATION_DOMAINS: [] },
})
