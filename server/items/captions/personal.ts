/** Personal data in captions: those of a person's own lessons, and what they offered for lessons of others. */
import { sql } from 'kysely'
import type { PersonalData } from '#server/platform/core/personal.ts'
import { forgetOffers } from '#server/items/captions/store.ts'

export const personal: PersonalData = {
  exported: {
    captions: (of, after) => sql`
      select l.id, c.title, (
          select jsonb_agg(jsonb_build_object('language', k.language, 'cues', k.cues) order by k.language)
          from lesson_captions k where k.lesson_id = l.id
        ) as captions
      from lessons l join lesson_contents c on c.lesson_id = l.id
      where l.owner_id = ${of} and l.deleted_at is null and l.id > ${after}
        and exists (select from lesson_captions k where k.lesson_id = l.id)`,
    captionOffers: (of, after) => sql`
      select o.id, o.lesson_id as lesson, o.language, o.cues, o.created_at as date, o.decided_at as "decidedAt",
        o.accepted, o.answer, o.amount
      from caption_offers o where o.user_id = ${of} and o.id > ${after}`,
  },
  // A lesson has up to 3 MB of captions.
  batches: { captions: 5, captionOffers: 5 },
  labels: { captions: 'captions', captionOffers: 'exportCaptionOffers' },
  erase: ({ db }, userId) => forgetOffers(db, userId),
}
