/** Fills the gaps of one template with other words, each with another video. */
import type { Kind } from '#lab/economy/agent.ts'
import { isWorthIt, remember, worthADay } from './copier.ts'

export const paraphraser: Kind = {
  name: 'fills a template',
  of10000: 10,
  farms: ['created', 'rewardWithdrawn', 'share', 'shareReturned'],
  act: async (agent, world, random) => {
    for (let number = 0; number < worthADay(world); number += 1) {
      if (!isWorthIt(agent, random)) continue
      const key = `${agent.place} ${world.state.day} ${number}`
      const template = `template of ${agent.place}`
      remember(agent, await world.publish(agent, { key, template }))
    }
  },
}
