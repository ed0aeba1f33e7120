/** Personal data of follows: whom the person follows. Their followers are personal data of the followers. */
import { sql } from 'kysely'
import { forgetFollows } from '#server/items/follows/follows.ts'
import type { PersonalData } from '#server/platform/core/personal.ts'

export const personal: PersonalData = {
  exported: {
    followed: (of, after) => sql`
      select f.id, p.username as person, f.created_at as date
      from follows f join users p on p.id = f.author_id where f.follower_id = ${of} and f.id > ${after}`,
  },
  labels: { followed: 'exportFollowed' },
  erase: ({ db }, userId) => forgetFollows(db, userId),
  notExported: {
    'follow_counts.author_id': 'a number that everybody sees on their profile',
  },
}
