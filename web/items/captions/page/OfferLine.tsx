import { useMemo, useState } from 'react'
import { CAPTION_ANSWER } from '#contract/caption-limits.ts'
import { type CaptionOffer, captions as calls, type Cue } from '#contract/captions.ts'
import { clockTime } from '#contract/clock-time.ts'
import { message } from '#contract/message.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useNameOf } from '#web/core/PersonName.tsx'
import { Time } from '#web/core/time/Time.tsx'
import { toast } from '#web/core/toast.ts'
import { languageName } from '#web/items/shared/caption-language.ts'
import { partsOf } from '#web/items/captions/cue-parts.ts'
import { compareCues } from '#web/items/captions/page/compare-cues.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import styles from './CaptionsPage.module.css'

interface OfferLineProps {
  readonly offer: CaptionOffer
  /** The lesson's captions in the same language. */
  readonly present: readonly Cue[]
  readonly onDecided: () => void
}

export function OfferLine({ offer, present, onDecided }: OfferLineProps) {
  const { t, locale } = useText()
  const { id, language, by, date } = offer
  const [asked, setAsked] = useState<'accept' | 'decline' | null>(null)
  const name = useNameOf()(by.userName)
  const decides = { language: languageName(locale, language), name }
  return (
    <li aria-label={t('captionsOfferBy', decides)}>
      <p>
        <b>{t('captionsOfferBy', decides)}</b>{' '}
        <span className="quiet">
          <Time date={date} form="moment" />
        </span>
      </p>
      <Comparison before={present} after={offer.cues} />
      <div className="acts">
        <Button kind="main" icon="check" aria-haspopup="dialog" onClick={() => setAsked('accept')}>
          {t('captionsAccept')}
        </Button>
        <Button icon="no" aria-haspopup="dialog" onClick={() => setAsked('decline')}>
          {t('captionsDecline')}
        </Button>
      </div>
      {asked !== null && (
        <ConfirmDialog
          onClose={() => setAsked(null)}
          title={t(asked === 'accept' ? 'captionsAccept' : 'captionsDecline')}
          step={{
            label: t(asked === 'accept' ? 'captionsAccept' : 'captionsDecline'),
            kind: 'main',
            icon: asked === 'accept' ? 'check' : 'no',
          }}
          question={{
            label: t('captionsAnswer', { name }),
            range: CAPTION_ANSWER,
            problem: message('captionAnswerMs', { ...CAPTION_ANSWER }),
            optional: true,
            rows: 3,
          }}
          act={async (words) => {
            const decision = { id, ...(words.trim() !== '' && { answer: words }) }
            await api(asked === 'accept' ? calls.accept : calls.decline, decision)
          }}
          onDone={() => {
            toast(t(asked === 'accept' ? 'captionsAccepted' : 'captionsDeclined'))
            onDecided()
          }}
        >
          <p>{t(asked === 'accept' ? 'captionsAcceptWhat' : 'captionsDeclineWhat', { name })}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}

function Comparison({
  before,
  after,
}: {
  readonly before: readonly Cue[]
  readonly after: readonly Cue[]
}) {
  const { t } = useText()
  const [isAll, setAll] = useState(false)
  const lines = useMemo(() => compareCues(before, after), [before, after])
  const changed = lines.filter(({ isChanged }) => isChanged)
  const shown = isAll ? lines : changed
  return (
    <>
      <p className="small">
        {before.length === 0
          ? t('captionsAllNew', { count: after.length })
          : t('captionsChanged', { count: changed.length, total: lines.length })}
      </p>
      {before.length > 0 && (
        <Checkbox checked={isAll} onChange={({ target }) => setAll(target.checked)}>
          {t('captionsShowAll')}
        </Checkbox>
      )}
      <div className={styles.compared} role="group" tabIndex={0} aria-label={t('captionsCompared')}>
        {partsOf(shown).map(({ first, lines: part }) => (
          <ol key={first}>
            {part.map((line, place) => (
              <li key={place} data-changed={line.isChanged || undefined}>
                <span className="num">
                  {line.isChanged && <Icon name="pen" />} {clockTime(line.from)}
                </span>
                <Side
                  text={line.before}
                  as={line.isChanged ? 'del' : 'span'}
                  label={t('captionsBefore')}
                />
                <Side
                  text={line.after}
                  as={line.isChanged ? 'ins' : 'span'}
                  label={t('captionsAfter')}
                />
              </li>
            ))}
          </ol>
        ))}
      </div>
    </>
  )
}

interface SideProps {
  readonly text: string | null
  readonly as: 'del' | 'ins' | 'span'
  readonly label: string
}

function Side({ text, as: Tag, label }: SideProps) {
  return (
    <span dir="auto">
      <span className="sr">{label}: </span>
      {text === null ? '—' : <Tag>{text}</Tag>}
    </span>
  )
}
