/** The calls of people's profiles; what judges them stands in profiles.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { OwnProfile, Profile, ProfilesSchemas } from '#contract/profiles.schemas.ts'

export const profiles = calls<ProfilesSchemas>()({
  show: { methods: ['GET'], path: '/identity/profile/{id}', access: 'user', scope: 'read' },
  information: {
    methods: ['GET'],
    path: '/identity/userinformation/{id}',
    access: 'anybody',
    scope: 'read',
  },
  named: { methods: ['GET'], path: '/identity/named/{name}', access: 'user', scope: 'read' },
  all: { methods: ['GET'], path: '/identity/allProfiles', access: 'anybody', scope: 'read' },
  update: {
    methods: ['POST', 'PUT', 'PATCH'],
    path: '/identity/update',
    access: 'user',
    scope: null,
    form: true,
  },
})

/** An answer carries what is only for oneself when it is oneself. */
export const isOwnProfile = (given: Profile): given is OwnProfile => 'kbPoints' in given
