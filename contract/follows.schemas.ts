/** Following people: how many follow somebody is public, who does is theirs alone. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Instant, UserId } from '#contract/fields.schemas.ts'
import { follows as calls } from '#contract/follows.ts'
import { Paged } from '#contract/items.schemas.ts'
import { ProfileCard } from '#contract/profile-card.schemas.ts'

const ByUser = z.object({ id: UserId })

export const Following = z.object({
  /** Whether the caller follows the person. */
  following: z.boolean(),
  /** How many do, the caller included. */
  followers: z.number(),
})
export type Following = z.infer<typeof Following>

/** A person whom the caller follows, and since when. */
export const Followed = z.extend(ProfileCard, { date: Instant })
export type Followed = z.infer<typeof Followed>

const schemas = {
  all: {
    input: Paged,
    answer: z.object({ people: z.array(Followed), total: z.number() }),
    summary: 'A page of the people whom the caller follows, the last one first',
  },
  show: {
    input: ByUser,
    answer: Following,
    summary: 'Whether the caller follows a person, and how many do',
  },
  follow: {
    input: ByUser,
    answer: Following,
    summary: 'Follow a person, up to 500; again changes nothing',
  },
  unfollow: {
    input: ByUser,
    answer: Following,
    summary: 'Follow a person no longer; of nobody that one follows changes nothing',
  },
}
export type FollowsSchemas = typeof schemas

/** The calls with what judges them, as the server needs them. */
export const follows = endpoints(calls, schemas)
