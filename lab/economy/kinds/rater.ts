/** Ten who unlock each other's lessons only to give them five stars. */
import { pick } from '#contract/random.ts'
import { onceIn, type Kind } from '#lab/economy/agent.ts'

const LESSON_DAYS = 7

export const rater: Kind = {
  name: 'rates in a ring',
  of10000: 10,
  farms: ['share', 'shareReturned'],
  act: async (agent, world, random) => {
    const key = `${agent.place} ${world.state.day}`
    if (onceIn(LESSON_DAYS, random)) await world.publish(agent, { key })
    const peers = world.peersOf(agent).filter(({ lessons }) => lessons.length > 0)
    if (peers.length === 0) return
    const id = pick(random, pick(random, peers).lessons)
    if (agent.unlocked.includes(id)) return
    if (await world.unlock(agent, { kind: 'lesson', id })) await world.praise(agent, id, 5)
  },
}
