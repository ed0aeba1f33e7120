/** Nine of ten people: they come for something, and write only if they cannot have it. */
import { onceIn, type Kind } from '#lab/economy/agent.ts'

/** On their first day most want something, later about once a month. */
const FIRST_WISH = 0.8
const WISH_DAYS = 30
/** Probability that somebody who can't afford a lesson writes one to earn it. */
const WRITES = 0.05

export const quiet: Kind = {
  name: 'quiet',
  of10000: 9000,
  farms: [],
  act: async (agent, world, random) => {
    const { day } = world.state
    const wants = day === agent.joins ? random() < FIRST_WISH : onceIn(WISH_DAYS, random)
    if (!wants || (await world.wish(agent, random)) || random() >= WRITES) return
    const key = `${agent.place} ${day}`
    await world.publish(agent, { key })
    await world.wish(agent, random)
  },
}
