import { isFormerMember } from '#contract/former-member.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { to } from '#web/core/paths.ts'

/** Where the conversation with somebody is: by the name, or by the id of who has none any more. */
export const chatAddress = ({ id, userName }: Pick<ProfileCard, 'id' | 'userName'>): string =>
  to.chat(isFormerMember(userName) ? id : userName)
