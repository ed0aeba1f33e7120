/** Lists the personal data of each folder, for the export of a person and the erasure of an account. */
import { personal as accounts } from '#server/people/accounts/personal.ts'
import { personal as captions } from '#server/items/captions/personal.ts'
import { personal as certificates } from '#server/items/certificates/personal.ts'
import { personal as chat } from '#server/community/chat/personal.ts'
import { personal as checks } from '#server/items/checks/personal.ts'
import { personal as comments } from '#server/items/comments/personal.ts'
import { personal as contact } from '#server/community/contact/personal.ts'
import { personal as courses } from '#server/items/courses/personal.ts'
import { personal as economy } from '#server/operate/economy/personal.ts'
import { personal as exports } from '#server/operate/exports/personal.ts'
import { personal as figures } from '#server/items/figures/personal.ts'
import { personal as files } from '#server/platform/files/personal.ts'
import { personal as flags } from '#server/items/flags/personal.ts'
import { personal as follows } from '#server/items/follows/personal.ts'
import type { PersonalData } from '#server/platform/core/personal.ts'
import { personal as lessons } from '#server/items/lessons/personal.ts'
import { personal as likes } from '#server/items/likes/personal.ts'
import { personal as mail } from '#server/platform/mail/personal.ts'
import { personal as moderation } from '#server/people/moderation/personal.ts'
import { personal as drafts } from '#server/items/drafts/personal.ts'
import { personal as notes } from '#server/items/notes/personal.ts'
import { personal as notices } from '#server/community/notices/personal.ts'
import { personal as points } from '#server/people/points/personal.ts'
import { personal as progress } from '#server/items/progress/personal.ts'
import { personal as ratings } from '#server/items/ratings/personal.ts'
import { personal as profiles } from '#server/community/profiles/personal.ts'
import { personal as webhooks } from '#server/operate/webhooks/personal.ts'
import { personal as purchases } from '#server/items/purchases/personal.ts'

/**
 * In the order of the export. Erasure starts with sign-ins and ends with files, which nothing shows any more by
 * then.
 */
export const PERSONAL_DATA: readonly PersonalData[] = [
  accounts,
  lessons,
  courses,
  comments,
  likes,
  purchases,
  points,
  progress,
  notes,
  drafts,
  follows,
  notices,
  checks,
  captions,
  certificates,
  ratings,
  chat,
  flags,
  contact,
  mail,
  moderation,
  profiles,
  exports,
  webhooks,
  economy,
  figures,
  files,
]
