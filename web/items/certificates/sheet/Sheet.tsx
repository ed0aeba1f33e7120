import { useMemo } from 'react'
import type { ValidCertificate } from '#contract/certificates.ts'
import { clothIndex } from '#contract/dyes.ts'
import { Seal } from '#web/items/certificates/sheet/Seal.tsx'
import { settingOfLessons, settingOfName } from '#web/items/certificates/sheet/setting.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { useNameOf } from '#web/core/PersonName.tsx'
import { useSettings } from '#web/core/settings.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { drawQr } from '#web/ui/qr/qr.ts'
import { classes } from '#web/ui/classes.ts'
import { Mark } from '#web/ui/Mark.tsx'
import qrStyles from '#web/ui/qr/QrCode.module.css'
import styles from './Sheet.module.css'

const NAMES: Readonly<Record<string, string | undefined>> = {
  'long-1': styles['long-1'],
  'long-2': styles['long-2'],
  'long-3': styles['long-3'],
}
const LISTS: Readonly<Record<string, string | undefined>> = {
  'many-1': styles['many-1'],
  'many-2': styles['many-2'],
  'many-3': styles['many-3'],
  dense: styles.dense,
  denser: classes(styles.dense, styles.denser),
}

export function Sheet({ certificate }: { readonly certificate: ValidCertificate }) {
  const { t } = useText()
  const { name, courseId, courseTitle, lessons, author } = certificate
  const nameOf = useNameOf()
  const setting = settingOfLessons(lessons)
  const isTight = setting === 'dense' || setting === 'denser'
  return (
    <article className={classes(styles.certificate, `cloth-${clothIndex(courseId)}`)}>
      <div className={classes(styles.vellum, isTight && styles.tight)}>
        <p className={styles.house}>
          <Mark /> {t('brand')}
        </p>
        <h1>{t('certificate')}</h1>
        <p className={styles.says}>{t('certificateThat')}</p>
        <p className={classes(styles.holder, NAMES[settingOfName(name)])} dir="auto">
          {name}
        </p>
        <p className={styles.says}>{t('certificateFinished')}</p>
        <p className={styles.courseLabel} lang={textLanguage(courseTitle)} dir="auto">
          {courseTitle}
        </p>
        <p className={classes(styles.says, styles.of)}>
          <Rich
            id="certificateBy"
            values={{ author: nameOf(author) }}
            components={{ who: <bdi className={styles.author} /> }}
          />
          , {t('certificateLessons', { total: lessons.length })}
        </p>
        <ol className={LISTS[setting]}>
          {lessons.map((title, place) => (
            // Two lessons may have the same title.
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
          {/* The same on paper and in every time zone. */}
          <dd>
            <time dateTime={date}>{formatDate(date, 'UTC')}</time>
          </dd>
        </div>
        <div>
          <dt>{t('certificateCode')}</dt>
          <dd className={styles.code}>{code}</dd>
        </div>
      </dl>
      <div className={styles.genuine}>
        <svg
          className={classes(qrStyles.qr, styles.qr)}
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
