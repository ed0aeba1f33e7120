/** Lists the personal data of each folder, for the export of a person and the erasure of an account. */
import { personal as accounts } from '#server/accounts/personal.ts'
import { personal as certificates } from '#server/certificates/personal.ts'
import { personal as chat } from '#server/chat/personal.ts'
import { personal as checks } from '#server/checks/personal.ts'
import { personal as comments } from '#server/comments/personal.ts'
import { personal as contact } from '#server/contact/personal.ts'
import { personal as courses } from '#server/courses/personal.ts'
import { personal as exports } from '#server/exports/personal.ts'
import { personal as files } from '#server/files/personal.ts'
import { personal as flags } from '#server/flags/personal.ts'
import { personal as follows } from '#server/follows/personal.ts'
import type { PersonalData } from '#server/kernel/personal.ts'
import { personal as lessons } from '#server/lessons/personal.ts'
import { personal as likes } from '#server/likes/personal.ts'
import { personal as mail } from '#server/mail/personal.ts'
import { personal as moderation } from '#server/moderation/personal.ts'
import { personal as notes } from '#server/notes/personal.ts'
import { personal as notices } from '#server/notices/personal.ts'
import { personal as points } from '#server/points/personal.ts'
import { personal as progress } from '#server/progress/personal.ts'
import { personal as ratings } from '#server/ratings/personal.ts'
import { personal as profiles } from '#server/profiles/personal.ts'
import { personal as webhooks } from '#server/webhooks/personal.ts'
import { personal as purchases } from '#server/purchases/personal.ts'

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
  follows,
  notices,
  checks,
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
  files,
]
