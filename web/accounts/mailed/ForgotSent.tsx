import { useEffect, useRef } from 'react'
import { Rich, useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useSettings } from '#web/core/settings.ts'
import { StallSide } from '#web/ui/books/StallSide.tsx'
import { Button } from '#web/ui/Button.tsx'

interface ForgotSentProps {
  readonly email: string
  readonly onAgain: () => void
}

/** What happens now, and what to do if it does not. */
export function ForgotSent({ email, onAgain }: ForgotSentProps) {
  const { t } = useText()
  const { mail } = useSettings()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div className="slip">
      <div className="form">
        <div>
          <h1 tabIndex={-1} ref={title}>
            {t('forgotSentTitle')}
          </h1>
          <p>
            <Rich id="forgotSentWhat" values={{ email }} components={{ b: <b /> }} />
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
        <div className="submit">
          <Button onClick={onAgain}>{t('forgotAgain')}</Button>
          <p>
            <Rich id="forgotOther" components={{ a: <Link to={to.login()} /> }} />
          </p>
        </div>
      </div>
      <StallSide drawing="book" />
    </div>
  )
}
