import { useState } from 'react'
import { useHydrated } from '#web/core/hydrated.ts'
import { useHere } from '#web/core/here.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { useSettings } from '#web/core/settings.ts'
import { LanguageLinks } from '#web/layout/header/LanguageLinks.tsx'
import { LanguageSelect } from '#web/layout/header/LanguageSelect.tsx'
import { applyTheme, storedTheme } from '#web/layout/theme.ts'
import { Mark } from '#web/ui/Mark.tsx'
import { type Theme, ThemeSwitch } from '#web/ui/theme/ThemeSwitch.tsx'
import styles from '#web/layout/header/Header.module.css'
import { classes } from '#web/ui/classes.ts'
import footerStyles from './Footer.module.css'
import layoutStyles from './Layout.module.css'

export function Footer() {
  const { t } = useText()
  const { logo, mail, social, year } = useSettings()
  return (
    <footer data-beside className={footerStyles.foot}>
      <div className={classes('wrap', layoutStyles.wrap, footerStyles.wrap)}>
        <div className={footerStyles.about}>
          <Link className={styles.logo} to={to.home()}>
            <Mark logo={logo} />
            {t('brand')}
          </Link>
          <p>{t('tagline')}</p>
          <p>
            <a href={`mailto:${mail}`}>{mail}</a>
          </p>
        </div>
        <nav aria-label={t('navBrowse')}>
          <ul>
            <li>
              <Link to={to.lessons()}>{t('navLessons')}</Link>
            </li>
            <li>
              <Link to={to.courses()}>{t('navCourses')}</Link>
            </li>
            <li>
              <Link to={to.about()}>{t('navAbout')}</Link>
            </li>
            <li>
              <Link to={to.privacy()}>{t('navPrivacy')}</Link>
            </li>
          </ul>
        </nav>
        <AccountLinks />
        <div className={footerStyles.prefs}>
          <p className={footerStyles.pref}>
            <label>
              {t('language')} <LanguageSelect labelled />
            </label>
            <LanguageLinks />
          </p>
          <Themes />
        </div>
        <p className={footerStyles.line}>
          {t('copyright', { year: String(year) })} · <a href={social}>{t('followUs')}</a>
        </p>
      </div>
    </footer>
  )
}

function AccountLinks() {
  const { t } = useText()
  const here = useHere()
  const person = useSession()
  const links =
    person === null
      ? ([
          [to.login(here), 'navLogin'],
          [to.register(here), 'navRegister'],
          [to.report(), 'navReport'],
        ] as const)
      : ([
          [to.profile(person._id), 'navProfile'],
          [to.points(), 'navPoints'],
          [to.report(), 'navReport'],
          [to.logout(), 'navLogout'],
        ] as const)
  return (
    <nav aria-label={t('navAccountLinks')}>
      <ul>
        {links.map(([path, key]) => (
          <li key={path}>
            <Link to={path}>{t(key)}</Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Themes() {
  const { t } = useText()
  const [chosen, setChosen] = useState<Theme | null>(null)
  const hydrated = useHydrated()
  const theme = chosen ?? (hydrated ? storedTheme() : 'system')
  const options = [
    { value: 'system', label: t('themeSystem') },
    { value: 'light', label: t('themeLight') },
    { value: 'dark', label: t('themeDark') },
  ] as const
  function change(wanted: Theme): void {
    setChosen(wanted)
    applyTheme(wanted)
  }
  return <ThemeSwitch legend={t('theme')} options={options} value={theme} onChange={change} />
}
