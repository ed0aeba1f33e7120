/** Publishes copies of other people's lessons, as many as a day rewards. */
import { type Agent, onceIn, type Kind } from '#lab/economy/agent.ts'
import type { World } from '#lab/economy/world.ts'

/** More is too much work. */
const MOST_A_DAY = 30
/** After this number of copies in a row without a reward they try only rarely. */
const GIVES_UP = 20
/** One attempt in this number. */
const RARELY = 140

/** Returns how many lessons a farmer publishes on a day: the number that is rewarded, within reason. */
export const worthADay = ({ dailyLimit }: Pick<World, 'dailyLimit'>) =>
  Math.min(dailyLimit, MOST_A_DAY)

/** Farmers go on as long as it pays. Remembers the attempts in a row that earned nothing. */
export function isWorthIt(agent: Agent, random: () => number): boolean {
  return (agent.memory['failed'] ?? 0) < GIVES_UP || onceIn(RARELY, random)
}

export function remember(agent: Agent, isRewarded: boolean): void {
  agent.memory['failed'] = isRewarded ? 0 : (agent.memory['failed'] ?? 0) + 1
}

export const copier: Kind = {
  name: 'copies others',
  of10000: 20,
  farms: ['created', 'rewardWithdrawn', 'share', 'shareReturned'],
  act: async (agent, world, random) => {
    for (let number = 0; number < worthADay(world); number += 1) {
      if (!isWorthIt(agent, random)) continue
      const original = world.chooseOriginal(agent, random)
      if (original === null) return
      remember(agent, await world.publish(agent, original.source, true))
    }
  },
}
