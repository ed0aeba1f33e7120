/**
 * What stands in every answer in place of the name of a person whose account was erased. It has a blank, so that it
 * is nobody's name; pages say it in their own language.
 */
export const FORMER_MEMBER = 'Former member'

export const isFormerMember = (name: string): boolean => name === FORMER_MEMBER
