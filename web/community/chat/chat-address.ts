import { isFormerMember } from '#contract/former-member.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { to } from '#web/core/paths.ts'

/** An erased account has no name, so its conversation is addressed by its id. */
export const chatAddress = ({ id, userName }: Pick<ProfileCard, 'id' | 'userName'>): string =>
  to.chat(isFormerMember(userName) ? id : userName)
