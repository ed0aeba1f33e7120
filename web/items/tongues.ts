/** What says which language an item is in. */
export const TONGUES = { en: 'languageEn', bg: 'languageBg', other: 'languageOther' } as const
