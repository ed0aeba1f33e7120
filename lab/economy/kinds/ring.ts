/** Twenty who write a lesson a week, and buy only from each other, so that the points stay among them. */
import { pick } from '#contract/random.ts'
import { onceIn, type Kind } from '#lab/economy/agent.ts'

const LESSON_DAYS = 7

export const ring: Kind = {
  name: 'buys in a ring',
  of10000: 20,
  farms: ['share', 'shareReturned'],
  act: async (agent, world, random) => {
    const key = `${agent.place} ${world.state.day}`
    if (onceIn(LESSON_DAYS, random)) await world.publish(agent, { key })
    const peers = world.peersOf(agent).filter(({ lessons }) => lessons.length > 0)
    if (peers.length === 0) return
    const id = pick(random, pick(random, peers).lessons)
    if (!agent.unlocked.includes(id)) await world.unlock(agent, { kind: 'lesson', id })
  },
}
