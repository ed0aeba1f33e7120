import type { SiteNames } from '#contract/site.ts'
import { line, oneOf } from '#server/kernel/setting-kinds.ts'

/** Settings with schema, default and meaning, included in kernel/config.ts. */
export const siteVariables = {
  SITE_NAME: [line.optional(), 'Knowledge Bazaar', 'What the site is called, in every language'],
  SITE_NAME_BG: [line.optional(), 'SITE_NAME, else Базар на знания', 'Its name in Bulgarian'],
  SITE_TAGLINE: [
    line.optional(),
    'Knowledge is free, but it has to be earned.',
    'The sentence under the name, in every language',
  ],
  SITE_TAGLINE_BG: [
    line.optional(),
    'SITE_TAGLINE, else Знанието е безплатно, но трябва да се заслужи.',
    'The sentence in Bulgarian',
  ],
  OFFLINE_READING: [
    oneOf(['0', '1']).default('1'),
    '1',
    'Browsers keep what one has opened or unlocked last, to be read without a network; 0 takes it away',
  ],
} as const

export type SiteConfig = {
  readonly [Name in Exclude<keyof typeof siteVariables, 'OFFLINE_READING'>]?: string | undefined
}

const DEFAULTS: SiteNames = {
  en: { site: 'Knowledge Bazaar', tagline: 'Knowledge is free, but it has to be earned.' },
  bg: { site: 'Базар на знания', tagline: 'Знанието е безплатно, но трябва да се заслужи.' },
}

/** A name given only in English is used for both languages. */
export function siteNames(config: SiteConfig): SiteNames {
  const { SITE_NAME: name, SITE_TAGLINE: tagline } = config
  return {
    en: { site: name ?? DEFAULTS.en.site, tagline: tagline ?? DEFAULTS.en.tagline },
    bg: {
      site: config.SITE_NAME_BG ?? name ?? DEFAULTS.bg.site,
      tagline: config.SITE_TAGLINE_BG ?? tagline ?? DEFAULTS.bg.tagline,
    },
  }
}
