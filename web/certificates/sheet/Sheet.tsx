import { useMemo } from 'react'
import type { ValidCertificate } from '#contract/certificates.ts'
import { clothIndex } from '#contract/dyes.ts'
import { Seal } from '#web/certificates/sheet/Seal.tsx'
import { settingOfLessons, settingOfName } from '#web/certificates/sheet/setting.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { useNameOf } from '#web/core/PersonName.tsx'
import { useSettings } from '#web/core/settings.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { drawQr } from '#web/items/sharing/qr.ts'
import { classes } from '#web/ui/classes.ts'
import { Mark } from '#web/ui/Mark.tsx'
import '#web/ui/styles/qr.css'
import '#web/certificates/sheet/sheet.css'

/** The certificate itself: a sheet in a quarter-bound board, of the size of A4 on paper. */
export function Sheet({ certificate }: { readonly certificate: ValidCertificate }) {
  const { t } = useText()
  const { name, courseId, courseTitle, lessons, author } = certificate
  const nameOf = useNameOf()
  const setting = settingOfLessons(lessons)
  const isTight = setting === 'dense' || setting === 'dense denser'
  return (
    <article className={classes('certificate', `cloth-${clothIndex(courseId)}`)}>
      <div className={classes('vellum', isTight && 'tight')}>
        <p className="house">
          <Mark /> {t('brand')}
        </p>
        <h1>{t('certificate')}</h1>
        <p className="says">{t('certificateThat')}</p>
        <p className={`holder ${settingOfName(name)}`} dir="auto">
          {name}
        </p>
        <p className="says">{t('certificateFinished')}</p>
        <p className="course-label" lang={textLanguage(courseTitle)} dir="auto">
          {courseTitle}
        </p>
        <p className="says of">
          <Rich
            id="certificateBy"
            values={{ author: nameOf(author) }}
            components={{ who: <bdi className="author" /> }}
          />
          , {t('certificateLessons', { total: lessons.length })}
        </p>
        <ol className={setting}>
          {lessons.map((title, place) => (
            // Two lessons may have one title.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={place} lang={textLanguage(title)} dir="auto">
              {title}
            </li>
          ))}
        </ol>
        <Foot certificate={certificate} />
      </div>
    </article>
  )
}

/** Seal, date and code, and the way to see that it is genuine. */
function Foot({ certificate: { code, date } }: { readonly certificate: ValidCertificate }) {
  const { t, formatDate } = useText()
  const address = `${useSettings().origin}${to.certificate(code)}`
  const qr = useMemo(() => drawQr(address), [address])
  return (
    <footer>
      <Seal />
      <dl>
        <div>
          <dt>{t('certificateTaken')}</dt>
          {/* The same on paper and in every zone. */}
          <dd>
            <time dateTime={date}>{formatDate(date, 'UTC')}</time>
          </dd>
        </div>
        <div>
          <dt>{t('certificateCode')}</dt>
          <dd className="code">{code}</dd>
        </div>
      </dl>
      <div className="genuine">
        <svg
          className="qr"
          viewBox={`0 0 ${qr.size} ${qr.size}`}
          role="img"
          aria-label={t('certificateQr', { address })}
          shapeRendering="crispEdges"
        >
          <path d={qr.path} />
        </svg>
        <p>
          {t('certificateVerifyHere')} <b>{address}</b>
        </p>
      </div>
    </footer>
  )
}
