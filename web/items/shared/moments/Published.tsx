import { useId, useState } from 'react'
import { LESSON_PRICE } from '#contract/limits.ts'
import type { ItemKind, RewardCheck } from '#contract/points.ts'
import { useText } from '#web/core/i18n.tsx'
import type { Wanted } from '#web/core/moments/wanted.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { useSettings } from '#web/core/settings.ts'
import { bookPicture, isPatternPaper } from '#web/ui/books/book-picture.ts'
import { OlderLesson } from '#web/items/shared/form/OlderLesson.tsx'
import { AsGuest } from '#web/items/shared/moments/AsGuest.tsx'
import { CountUp } from '#web/items/shared/moments/CountUp.tsx'
import { TowardsCourse } from '#web/items/shared/moments/TowardsCourse.tsx'
import { copyText } from '#web/items/shared/sharing/copy.ts'
import { EntryLine } from '#web/people/points/EntryLine.tsx'
import { Book } from '#web/ui/books/Book.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Ledger, LedgerColumn } from '#web/ui/points/Ledger.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Published.module.css'

export interface PublishedItem extends RewardCheck {
  readonly id: number
  readonly title: string
  readonly thumbnail: string
  readonly price: number
  readonly kbPoints: number
}

interface PublishedProps {
  readonly kind: ItemKind
  readonly item: PublishedItem
  /** The reward in points; ignored when the response says that it was withheld. */
  readonly reward: number
  readonly before: number
  /** A path on this site. */
  readonly path: string
  readonly date: string
  readonly wanted: Wanted | null
}

/** Shown after publishing: the new cover, the reward as a line of the account, and what can come next. */
export function Published(props: PublishedProps) {
  const { kind, item, reward, before, path, date, wanted } = props
  const { t, formatNumber } = useText()
  const heading = useId()
  const { id, title, thumbnail, kbPoints, rewarded, rewardReason, older } = item
  const isCourse = kind === 'course'
  return (
    <section className={styles.moment} aria-labelledby={heading}>
      <div className={styles.binding}>
        <Book
          look="binding"
          course={isCourse}
          seed={id}
          picture={bookPicture(thumbnail, '26rem')}
          label={!isCourse && isPatternPaper(thumbnail) ? title : undefined}
          lang={textLanguage(title)}
          state={{ kind: 'sealed', price: formatNumber(item.price), unit: t('kbPoints') }}
          eager
        />
      </div>
      <div>
        <h2 id={heading}>{t(isCourse ? 'momentCourse' : 'momentLesson')}</h2>
        <CountUp from={before} to={kbPoints} />
        <div className={styles.writing}>
          <Ledger
            caption={t('momentLine')}
            hideCaption
            flow
            head={
              <>
                <LedgerColumn kind="d">{t('pointsDay')}</LedgerColumn>
                <LedgerColumn>{t('pointsWhat')}</LedgerColumn>
                <LedgerColumn kind="n">{t('pointsColumnIn')}</LedgerColumn>
                <LedgerColumn kind="n">{t('pointsColumnOut')}</LedgerColumn>
                <LedgerColumn kind="n sum">{t('pointsBalance')}</LedgerColumn>
              </>
            }
          >
            <tbody role="rowgroup">
              <EntryLine
                entry={{
                  id: 0,
                  amount: rewarded ? reward : 0,
                  reason: rewarded ? 'created' : 'rewardWithheld',
                  ...(rewardReason === null ? {} : { rewardReason }),
                  item: { kind, id, title, gone: false },
                  date,
                  balance: kbPoints,
                }}
              />
            </tbody>
          </Ledger>
        </div>
        <OlderLesson older={older} />
        <NextSteps kind={kind} id={id} path={path} points={kbPoints} wanted={wanted} />
      </div>
      {!isCourse && <TowardsCourse newest={id} />}
    </section>
  )
}

interface NextStepsProps {
  readonly kind: ItemKind
  readonly id: number
  readonly path: string
  readonly points: number
  readonly wanted: Wanted | null
}

function NextSteps({ kind, id, path, points, wanted }: NextStepsProps) {
  const { t } = useText()
  const unlocks = Math.floor(points / LESSON_PRICE)
  const address = `${useSettings().origin}${path}`
  const [copied, setCopied] = useState<'linkCopied' | 'linkNotCopiedHere' | null>(null)
  const [asked, setAsked] = useState(false)
  const copy = async () => setCopied((await copyText(address)) ? 'linkCopied' : 'linkNotCopiedHere')
  return (
    <>
      <div className={classes('acts', styles.acts)}>
        <Button kind="main" icon="link" onClick={() => void copy()}>
          {t('copyLink')}
        </Button>
        <Button icon="eye" aria-haspopup="dialog" onClick={() => setAsked(true)}>
          {t('asGuest')}
        </Button>
        {kind === 'lesson' && (
          <ButtonLink as={Link} icon="list" to={to.captions(id)}>
            {t('captionsAdd')}
          </ButtonLink>
        )}
        {wanted !== null && (
          <ButtonLink as={Link} icon="lock" to={wanted.path}>
            {t('momentWanted', { title: wanted.title })}
          </ButtonLink>
        )}
        {wanted === null && unlocks > 0 && (
          <ButtonLink as={Link} to={to.lessons({ sort: 'likes' })}>
            {t('momentUnlock', { count: unlocks })}
          </ButtonLink>
        )}
      </div>
      <p className={classes('small', styles.small)} role="status">
        {copied !== null && (
          <>
            <Icon name={copied === 'linkCopied' ? 'check' : 'warn'} /> {t(copied, { address })}
          </>
        )}
      </p>
      {asked && <AsGuest kind={kind} id={id} onClose={() => setAsked(false)} />}
    </>
  )
}
