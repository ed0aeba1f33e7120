/** The site's names as the configuration gives them. */
import type { SiteNames } from '#contract/site.ts'
import type { Config } from '#server/kernel/config.ts'

/** Settings that name the site. */
export type SiteConfig = Partial<
  Pick<Config, 'SITE_NAME' | 'SITE_NAME_BG' | 'SITE_TAGLINE' | 'SITE_TAGLINE_BG'>
>

const DEFAULTS: SiteNames = {
  en: { site: 'Knowledge Bazaar', tagline: 'Knowledge is free, but it has to be earned.' },
  bg: { site: 'Базар на знания', tagline: 'Знанието е безплатно, но трябва да се заслужи.' },
}

/** A name that is given in English alone stands for both languages. */
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
