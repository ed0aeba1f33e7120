import { useText } from '#web/core/i18n.tsx'
import { isUpload, resourceName } from '#web/items/lessons/resource/resource-name.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/ui/styles/Item.module.css'

/** Links to an uploaded file or to a page on another site. */
export function ResourceLink({ resource }: { readonly resource: string }) {
  const { t } = useText()
  if (resource === '') return null
  const name = resourceName(resource)
  if (isUpload(resource)) {
    return (
      <a className={styles.file} href={resource} download={name}>
        <Icon name="clip" />
        <span>
          <b>{name}</b>
          <span className="quiet small">{t('resourceFile')}</span>
        </span>
        <span>{t('download')}</span>
      </a>
    )
  }
  return (
    <a
      className={styles.file}
      href={resource}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
    >
      <Icon name="link" />
      <span>
        <b>{name}</b>
        <span className="quiet small">{t('resourceLinkTo', { host: new URL(resource).host })}</span>
      </span>
      <span>{t('openResource')}</span>
    </a>
  )
}
