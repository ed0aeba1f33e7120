import type { WaysIn } from '#contract/ways-in.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Button.module.css'

interface ProviderLinksProps {
  readonly ways: WaysIn
  /** The path to return to after the sign-in. */
  readonly next: string
  /** The token of an invitation, for a newcomer. */
  readonly invitation?: string | undefined
}

/** Links, so that they work without JavaScript. */
export function ProviderLinks({ ways, next, invitation }: ProviderLinksProps) {
  const { t } = useText()
  return ways.providers.map(({ id, name }) => (
    <p key={id}>
      {/* A plain link, because it leaves the site. */}
      <a
        className={classes('btn', styles.btn)}
        href={to.provider(id, next, invitation)}
        rel="nofollow"
      >
        {t('oidcSignIn', { provider: name })}
      </a>
    </p>
  ))
}
