/** The calls of people's profiles; what judges them stands in profiles.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { OwnProfile, Profile, ProfilesSchemas } from '#contract/profiles.schemas.ts'

export const profiles = calls<ProfilesSchemas>()({
  show: { methods: ['GET'], path: '/identity/profile/{id}', access: 'user' },
  information: { methods: ['GET'], path: '/identity/userinformation/{id}', access: 'anybody' },
  named: { methods: ['GET'], path: '/identity/named/{name}', access: 'user' },
  all: { methods: ['GET'], path: '/identity/allProfiles', access: 'anybody' },
  archive: { methods: ['GET'], path: '/identity/export', access: 'user' },
  update: {
    methods: ['POST', 'PUT', 'PATCH'],
    path: '/identity/update',
    access: 'user',
    form: true,
  },
})

/** An answer carries what is only for oneself when it is oneself. */
export const isOwnProfile = (given: Profile): given is OwnProfile => 'kbPoints' in given
