import { useEffect, useRef } from 'react'
import { Rich, useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useSettings } from '#web/core/settings.ts'
import { StallSide } from '#web/ui/books/StallSide.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/inputs/Form.module.css'

interface ForgotSentProps {
  /** Undefined if the form was posted without JavaScript. */
  readonly email: string | undefined
}

export function ForgotSent({ email }: ForgotSentProps) {
  const { t } = useText()
  const { mail } = useSettings()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div className={classes(styles.slip, styles.withStall)}>
      <div className={styles.form}>
        <div>
          <h1 tabIndex={-1} ref={title}>
            {t('forgotSentTitle')}
          </h1>
          <p>
            {email === undefined ? (
              t('forgotSentPlain')
            ) : (
              <Rich id="forgotSentWhat" values={{ email }} components={{ b: <b /> }} />
            )}
          </p>
        </div>
        <p className="quiet">{t('forgotSentNothing')}</p>
        <p className="quiet">
          <Rich
            id="forgotSentHelp"
            values={{ mail }}
            components={{ a: <a href={`mailto:${mail}`} /> }}
          />
        </p>
        <div className={styles.submit}>
          <ButtonLink as={Link} to={to.forgotPassword()} state={{ email }}>
            {t('forgotAgain')}
          </ButtonLink>
          <p>
            <Rich id="forgotOther" components={{ a: <Link to={to.login()} /> }} />
          </p>
        </div>
      </div>
      <StallSide drawing="book" />
    </div>
  )
}
