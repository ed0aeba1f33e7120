import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import styles from '#web/ui/inputs/Form.module.css'

/** Leads to the list of devices that one is signed in on. */
export function DevicesLink() {
  const { t } = useText()
  return (
    <section className={styles.form} aria-labelledby="devices">
      <div>
        <h2 id="devices">{t('devicesTitle')}</h2>
        <p className="quiet">{t('devicesWhat')}</p>
      </div>
      <div className={styles.submit}>
        <ButtonLink as={Link} to={to.devices()}>
          {t('devicesGo')}
        </ButtonLink>
      </div>
    </section>
  )
}

/** Leads to the access tokens of one's programs. */
export function TokensLink() {
  const { t } = useText()
  return (
    <section className={styles.form} aria-labelledby="tokens">
      <div>
        <h2 id="tokens">{t('tokensTitle')}</h2>
        <p className="quiet">{t('tokensWhat')}</p>
      </div>
      <div className={styles.submit}>
        <ButtonLink as={Link} to={to.tokens()}>
          {t('tokensGo')}
        </ButtonLink>
      </div>
    </section>
  )
}
