/**
 * Replaces the name of a person whose account was erased. It contains a space, which no username may, and pages
 * translate it.
 */
export const FORMER_MEMBER = 'Former member'

/** Replaces the id, so that texts of the same erased person can't be linked. */
export const FORMER_ID = ''
/** Replaces the picture. */
export const FORMER_FACE = '/art/avatar/former-member.svg'

/** An erased account has no profile to link to. */
export const isFormerMember = (name: string): boolean => name === FORMER_MEMBER
