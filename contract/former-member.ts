/**
 * What stands in every answer in place of the name of a person whose account was erased. It has a blank, so that it
 * is nobody's name; pages say it in their own language.
 */
export const FORMER_MEMBER = 'Former member'

/** In place of their id: nothing of an answer tells one of them from another, so no two texts of one can be joined. */
export const FORMER_ID = ''
/** In place of their picture. */
export const FORMER_FACE = '/art/avatar/former-member.svg'

/** Whether a name stands for an erased account, which has no profile to link to. */
export const isFormerMember = (name: string): boolean => name === FORMER_MEMBER
