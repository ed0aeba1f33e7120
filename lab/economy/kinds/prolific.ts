/** One of a hundred people: they publish several lessons a week and put them into courses. */
import { COURSE_LESSONS } from '#contract/limits.ts'
import { onceIn, type Kind } from '#lab/economy/agent.ts'

const LESSON_DAYS = 3
const WISH_DAYS = 1.5

export const prolific: Kind = {
  name: 'prolific',
  of10000: 100,
  farms: [],
  act: async (agent, world, random) => {
    const key = `${agent.place} ${world.state.day}`
    if (onceIn(LESSON_DAYS, random)) await world.publish(agent, { key })
    if (agent.loose.length >= COURSE_LESSONS.min) await world.publishCourse(agent)
    if (onceIn(WISH_DAYS, random)) await world.wish(agent, random)
  },
}
