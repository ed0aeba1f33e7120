import { useState } from 'react'
import { captions as calls } from '#contract/captions.ts'
import type { CaptionLanguage } from '#contract/items.ts'
import { api } from '#web/core/api.ts'
import { passIfGone } from '#web/core/api-error.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { usePageData, useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { toast } from '#web/core/toast.ts'
import { languageName } from '#web/items/shared/caption-language.ts'
import { CaptionForm } from '#web/items/captions/page/CaptionForm.tsx'
import type { loader } from '#web/items/captions/page/CaptionsPage.data.ts'
import { Offers } from '#web/items/captions/page/Offers.tsx'
import { Head } from '#web/ui/Head.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import styles from './CaptionsPage.module.css'

/** An author's captions and the offers of others, or the form in which a buyer offers captions. */
export default function CaptionsPage() {
  const { id, title, isAuthor, languages } = usePageData<typeof loader>()
  const { t } = useText()
  const reload = useReload()
  const [changes, setChanges] = useState(0)
  const changed = () => {
    setChanges((count) => count + 1)
    void reload()
  }
  return (
    <div className={styles.page}>
      <Head title={t('captions')} as="h1">
        <p>
          <Link to={to.lesson(id)} lang={textLanguage(title)} dir="auto">
            {title}
          </Link>
        </p>
      </Head>
      <p className="quiet">{t(isAuthor ? 'captionsWhy' : 'captionsOfferWhy')}</p>
      <Present lesson={id} languages={languages} mayDelete={isAuthor} onDeleted={changed} />
      <Offers key={`${id} ${changes}`} lesson={id} isAuthor={isAuthor} onDecided={changed} />
      <CaptionForm lesson={id} isOffer={!isAuthor} present={languages} onDone={changed} />
    </div>
  )
}

interface PresentProps {
  readonly lesson: number
  readonly languages: readonly CaptionLanguage[]
  readonly mayDelete: boolean
  readonly onDeleted: () => void
}

function Present({ lesson, languages, mayDelete, onDeleted }: PresentProps) {
  const { t, locale } = useText()
  const [asked, setAsked] = useState<CaptionLanguage | null>(null)
  if (languages.length === 0) return <p>{t('captionsNone')}</p>
  const name = asked === null ? '' : languageName(locale, asked)
  return (
    <>
      <ul className={styles.present} aria-label={t('captions')}>
        {languages.map((language) => (
          <li key={language}>
            {languageName(locale, language)}
            {mayDelete && (
              <IconButton
                icon="bin"
                label={t('captionsDelete', { language: languageName(locale, language) })}
                onClick={() => setAsked(language)}
              />
            )}
          </li>
        ))}
      </ul>
      {asked !== null && (
        <ConfirmDialog
          onClose={() => setAsked(null)}
          title={t('captionsDelete', { language: name })}
          step={{ label: t('delete'), kind: 'risk', icon: 'bin' }}
          act={() => api(calls.remove, { lessonId: lesson, language: asked }).catch(passIfGone)}
          onDone={() => {
            toast(t('captionsDeleted'))
            onDeleted()
          }}
        >
          <p>{t('captionsDeleteWhat')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
