/** Publishes a lesson, spends the reward, and deletes the lesson again. */
import type { Kind } from '#lab/economy/agent.ts'

const A_DAY = 3

export const churner: Kind = {
  name: 'creates and deletes',
  of10000: 10,
  farms: ['created', 'rewardWithdrawn', 'share', 'shareReturned'],
  act: async (agent, world, random) => {
    for (let number = 0; number < A_DAY; number += 1) {
      // The same article and video each time: deleting must not make them new.
      const key = `${agent.place}`
      await world.publish(agent, { key })
      const item = world.choose(agent, random)
      if (item?.kind === 'lesson') await world.unlock(agent, item)
      for (const lesson of agent.lessons) await world.remove(agent, lesson)
    }
  },
}
