/** The number of followers is public. The list of followers is private. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Instant, UserId } from '#contract/fields.ts'
import { Paged } from '#contract/items.ts'
import { ProfileCard } from '#contract/profile-card.ts'

const ByUser = z.object({ id: UserId })

export const Following = z.object({
  following: z.boolean(),
  /** Includes the caller. */
  followers: z.number(),
})
export type Following = z.infer<typeof Following>

export const Followed = z.extend(ProfileCard, { date: Instant })
export type Followed = z.infer<typeof Followed>

export const follows = endpoints({
  all: {
    methods: ['GET'],
    path: '/follow/all',
    access: 'user',
    scope: 'read',
    input: Paged,
    answer: z.object({ people: z.array(Followed), total: z.number() }),
    summary: 'A page of the people whom the caller follows, the last one first',
  },
  show: {
    methods: ['GET'],
    path: '/follow/{id}',
    access: 'user',
    scope: 'read',
    input: ByUser,
    answer: Following,
    summary: 'Whether the caller follows a person, and how many do',
  },
  follow: {
    methods: ['PUT'],
    path: '/follow/{id}',
    access: 'user',
    scope: 'write',
    input: ByUser,
    answer: Following,
    summary: 'Follow a person, up to 500; again changes nothing',
  },
  // Suspended people may unfollow.
  unfollow: {
    methods: ['DELETE'],
    path: '/follow/{id}',
    access: 'user',
    scope: 'write',
    openToSuspended: true,
    input: ByUser,
    answer: Following,
    summary: 'Follow a person no longer; of nobody that one follows changes nothing',
  },
})
