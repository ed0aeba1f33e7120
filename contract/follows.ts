/** Following people: how many follow somebody is public, who does is theirs alone. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Instant, UserId } from '#contract/fields.ts'
import { Paged } from '#contract/items.ts'
import { ProfileCard } from '#contract/profile-card.ts'

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
  // Who may not write may still stop listening.
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
