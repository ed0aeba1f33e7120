import { useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Cue } from '#contract/captions.ts'
import { clockTime } from '#contract/clock-time.ts'
import { foldTerm } from '#contract/fold.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useStored } from '#web/core/storage/stored.ts'
import { languageName } from '#web/items/shared/caption-language.ts'
import { CueList } from '#web/items/captions/CueList.tsx'
import { useCurrentCue } from '#web/items/captions/current-cue.ts'
import { useLessonCaptions } from '#web/items/captions/lesson-captions.ts'
import { Button } from '#web/ui/Button.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import { Segment } from '#web/ui/Segment.tsx'
import styles from './Captions.module.css'

const isText = (stored: unknown): stored is string => typeof stored === 'string'

/** The captions of a lesson as a text that follows the video. A press on a line goes there. */
export function Transcript({ lesson }: { readonly lesson: OpenLesson }) {
  const { t, locale } = useText()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const { captions, failed, ask } = useLessonCaptions(lesson.id)
  const remembered = useStored('caption-language', isText, '')
  const [typed, setTyped] = useState('')
  const term = useDeferredValue(foldTerm(typed))
  const shown =
    captions?.find(({ language }) => language === remembered.value) ??
    captions?.find(({ language }) => language === locale) ??
    captions?.[0]
  const cues = useMemo(() => found(shown?.cues ?? [], term), [shown, term])
  return (
    <section className={styles.transcript} aria-labelledby={id}>
      <div className={styles.top}>
        <h2 id={id}>{t('transcript')}</h2>
        {(lesson.can.edit || lesson.can.rate) && (
          <Link to={to.captions(lesson.id)}>
            {t(lesson.can.edit ? 'captionsManage' : 'captionsOffer')}
          </Link>
        )}
      </div>
      {failed && (
        <p className="quiet">
          {t('transcriptFailed')}{' '}
          <Button kind="bare" icon="retry" onClick={ask}>
            {t('tryAgain')}
          </Button>
        </p>
      )}
      {shown !== undefined && captions !== null && (
        <>
          <div className={styles.tools}>
            <TextInput
              type="search"
              aria-label={t('transcriptSearch')}
              placeholder={t('transcriptSearch')}
              value={typed}
              autoComplete="off"
              onChange={({ target }) => setTyped(target.value)}
            />
            {captions.length > 1 && (
              <Segment label={t('language')}>
                {captions.map(({ language }) => (
                  <Chip
                    key={language}
                    as="button"
                    type="button"
                    current={language === shown.language}
                    onClick={() => remembered.change(() => language)}
                  >
                    {languageName(locale, language)}
                  </Chip>
                ))}
              </Segment>
            )}
          </div>
          <CueList list={list} cues={cues} language={shown.language} term={term} />
          <p className="sr" role="status">
            {term !== '' && t('transcriptFound', { count: cues.length })}
          </p>
          <Current list={list} cues={shown.cues} listed={cues} />
        </>
      )}
    </section>
  )
}

function found(cues: readonly Cue[], term: string): readonly Cue[] {
  return term === '' ? cues : cues.filter(({ text }) => foldTerm(text).includes(term))
}

interface CurrentProps {
  readonly list: React.RefObject<HTMLDivElement | null>
  readonly cues: readonly Cue[]
  /** Those that the search left. */
  readonly listed: readonly Cue[]
}

/** Marks the line that is spoken, and begins a note at it. Apart from the list, which is not rendered again. */
function Current({ list, cues, listed }: CurrentProps) {
  const { t } = useText()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const cue = useCurrentCue(list, cues, listed)
  if (cue === null) return null
  const time = clockTime(cue.from)
  const start = () =>
    navigate(
      { pathname, search, hash: 'notes' },
      { state: { noteAt: Math.floor(cue.from) }, replace: true, preventScrollReset: true },
    )
  return (
    <div className={styles.current}>
      <Button kind="bare" icon="pen" onClick={() => void start()}>
        {t('transcriptNote', { time })}
      </Button>
    </div>
  )
}
