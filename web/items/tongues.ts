export const TONGUES = { en: 'languageEn', bg: 'languageBg', other: 'languageOther' } as const
