import { useHere } from '#web/core/here.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { useSettings } from '#web/core/settings.ts'
import { HeaderSearch } from '#web/layout/search/HeaderSearch.tsx'
import { LanguageLinks } from '#web/layout/header/LanguageLinks.tsx'
import { LanguageSelect } from '#web/layout/header/LanguageSelect.tsx'
import { MainLinks } from '#web/layout/header/MainLinks.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Mark } from '#web/ui/Mark.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { PersonHeader } from '#web/layout/header/PersonHeader.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Header.module.css'
import layoutStyles from '#web/layout/Layout.module.css'

interface HeaderProps {
  /** True when the page begins with a banner in the header's cloth, which scrolls away with the header. */
  readonly isAboveHero: boolean
}

export function Header({ isAboveHero }: HeaderProps) {
  const { t } = useText()
  const { logo } = useSettings()
  const person = useSession()
  return (
    <>
      <header
        data-beside
        className={classes(styles.stall, isAboveHero ? styles.aboveHero : styles.sticky)}
      >
        <a className="skip" href="#main">
          {t('navSkip')}
        </a>
        <div className={classes('wrap', layoutStyles.wrap, styles.bar)}>
          <Link className={styles.logo} to={to.home()} aria-label={t('brand')}>
            <Mark logo={logo} />
            <span>{t('brand')}</span>
          </Link>
          <nav className={classes(styles.nav, styles.wide)} aria-label={t('navMain')}>
            <MainLinks />
          </nav>
          <HeaderSearch />
          <div className={styles.me}>
            <LanguageSelect className={styles.wide} />
            <LanguageLinks />
            {person === null ? <GuestLinks /> : <PersonHeader person={person} place="bar" />}
          </div>
          <MenuButton />
        </div>
      </header>
      {person !== null && <PersonHeader person={person} place="menus" />}
      <Menu id="sheet" kind="sheet" label={t('navMenu')}>
        <MainLinks />
        {person === null ? <SheetGuestLinks /> : <PersonHeader person={person} place="sheet" />}
        <LanguageSelect />
      </Menu>
    </>
  )
}

/** On small screens it opens everything that doesn't fit into the bar. */
function MenuButton() {
  const { t } = useText()
  return (
    <IconButton className={styles.narrow} icon="menu" label={t('navMenu')} popoverTarget="sheet" />
  )
}

function GuestLinks() {
  const { t } = useText()
  const here = useHere()
  return (
    <>
      <Link className={classes(styles.barBtn, styles.wide)} to={to.login(here)}>
        {t('navLogin')}
      </Link>
      <ButtonLink as={Link} className={classes(styles.wide, styles.join)} to={to.register(here)}>
        {t('navRegister')}
      </ButtonLink>
    </>
  )
}

function SheetGuestLinks() {
  const { t } = useText()
  const here = useHere()
  return (
    <>
      <Link to={to.login(here)}>
        <Icon name="user" />
        {t('navLogin')}
      </Link>
      <Link to={to.register(here)}>
        <Icon name="plus" />
        {t('navRegister')}
      </Link>
    </>
  )
}
