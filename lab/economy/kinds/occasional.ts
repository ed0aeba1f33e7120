/** Nine of a hundred people: they publish now and then, and spend what they earn. */
import { onceIn, type Kind } from '#lab/economy/agent.ts'

const LESSON_DAYS = 20
const WISH_DAYS = 10
/** Probability that they rate a lesson that they unlocked. */
const RATES = 0.1

export const occasional: Kind = {
  name: 'now and then',
  of10000: 900,
  farms: [],
  act: async (agent, world, random) => {
    const { day } = world.state
    if (onceIn(LESSON_DAYS, random)) {
      const key = `${agent.place} ${day}`
      await world.publish(agent, { key })
    }
    if (day !== agent.joins && !onceIn(WISH_DAYS, random)) return
    const item = world.choose(agent, random)
    const isMet = await world.fulfil(agent, item)
    if (isMet && item?.kind === 'lesson' && !item.free && random() < RATES)
      await world.praise(agent, item.id, 3 + Math.floor(random() * 3))
  },
}
