import { useEffect } from 'react'
import { SecondFactor } from '#web/people/accounts/factors/SecondFactor.tsx'
import type { loader } from '#web/people/accounts/factors/SetUpPage.data.ts'
import { Passkeys } from '#web/people/accounts/passkeys/Passkeys.tsx'
import { useText } from '#web/core/i18n.tsx'
import { usePageData, useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { renew } from '#web/core/renewal.ts'
import { Link } from '#web/core/router/Link.tsx'
import { currentToken } from '#web/core/session.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/inputs/Form.module.css'

/** People who must have a second factor are redirected here from all other pages until they set one up. */
export default function SetUpPage() {
  const { secondFactor, ownPasskeys, isOver } = usePageData<typeof loader>()
  const { t } = useText()
  const reload = useReload()
  useEffect(() => {
    // The session still says that the factor is missing. After the renewal, the loader redirects.
    if (isOver) void renew(currentToken()).then(reload)
  }, [isOver, reload])
  return (
    <div className={classes(styles.slip, styles.account)}>
      <div>
        <h1>{t('factorSetUpTitle')}</h1>
        <p>{t('factorSetUpWhat')}</p>
      </div>
      <div className={styles.parts}>
        <SecondFactor stored={secondFactor} />
      </div>
      <div className={styles.parts}>
        <Passkeys stored={ownPasskeys} factors={secondFactor} />
        <p>
          <ButtonLink as={Link} kind="bare" icon="out" to={to.logout()}>
            {t('navLogout')}
          </ButtonLink>
        </p>
      </div>
    </div>
  )
}
