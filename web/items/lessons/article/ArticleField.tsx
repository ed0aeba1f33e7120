import { type ComponentType, useEffect, useState } from 'react'
import { ARTICLE } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { reloadIfUpgraded } from '#web/core/router/upgrade.ts'
import { articleLength } from '#web/items/lessons/article/article-length.ts'
import type { EditorProps } from '#web/items/lessons/article/Editor.tsx'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextArea } from '#web/ui/inputs/TextArea.tsx'
import styles from './Editor.module.css'

interface ArticleFieldProps {
  /** Without JavaScript a text area takes its words. */
  readonly plain: boolean
  readonly value: string
  /** Increases when the value is set from outside, which creates the editor again with it. */
  readonly edition: number
  readonly error: string | undefined
  readonly onChange: (html: string) => void
  readonly onBlur: () => void
}

type Loaded = ComponentType<EditorProps> | 'failed' | null

/** The editor is loaded after hydration, because it is large. */
export function ArticleField(props: ArticleFieldProps) {
  const { plain, value, edition, error, onChange, onBlur } = props
  const { t } = useText()
  const [editor, setEditor] = useState<Loaded>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    void loadEditor().then((loaded) => setEditor(() => loaded))
  }, [attempt])
  const length = articleLength(value)
  const over = length > ARTICLE.max || (length < ARTICLE.min && error !== undefined)
  const Editor = typeof editor === 'function' ? editor : null
  return (
    <Field
      group
      name="article"
      label={t('article')}
      help={
        <>
          {plain && <noscript>{t('articlePlain')}</noscript>}
          <span className="by-keys scripted">{t('editorHelp')}</span>
        </>
      }
      error={error}
      count={t('articleCount', { length, ...ARTICLE })}
      over={over}
    >
      {(wiring) =>
        Editor === null ? (
          <div className={styles.editor} id={wiring.id} tabIndex={-1}>
            {plain && (
              <noscript>
                <TextArea
                  name="article"
                  dir="auto"
                  rows={16}
                  {...wiring}
                  id={undefined}
                  defaultValue={value}
                />
              </noscript>
            )}
            <div className={classes(styles.tools, plain && 'scripted')} />
            <div className={classes('prose', plain && 'scripted')} role="status">
              {editor === 'failed' ? (
                <>
                  <p>{t('editorFailed')}</p>
                  <Button icon="retry" onClick={() => setAttempt(attempt + 1)}>
                    {t('tryAgain')}
                  </Button>
                </>
              ) : (
                <p className="quiet">{t('editorLoading')}</p>
              )}
            </div>
          </div>
        ) : (
          <Editor
            key={edition}
            id={wiring.id}
            labelledBy={wiring['aria-labelledby']}
            describedBy={wiring['aria-describedby']}
            invalid={error !== undefined}
            initial={value}
            onChange={onChange}
            onBlur={onBlur}
          />
        )
      }
    </Field>
  )
}

/** Awaits the import as a statement, because a chained `.catch` would miss a style sheet that fails to load. */
async function loadEditor(): Promise<Loaded> {
  try {
    const { Editor } = await import('#web/items/lessons/article/Editor.tsx')
    return Editor
  } catch {
    return (await reloadIfUpgraded()) ? null : 'failed'
  }
}
