/** Reads what they unlock and returns it within a day, so that one price opens many lessons. */
import { onceIn, type Kind } from '#lab/economy/agent.ts'

const LESSON_DAYS = 14

export const returner: Kind = {
  name: 'buys and returns',
  of10000: 10,
  farms: ['share', 'shareReturned'],
  act: async (agent, world, random) => {
    const key = `${agent.place} ${world.state.day}`
    if (onceIn(LESSON_DAYS, random)) await world.publish(agent, { key })
    const item = world.choose(agent, random)
    if (item?.kind === 'lesson' && (await world.unlock(agent, item)))
      await world.giveBack(agent, item.id)
  },
}
