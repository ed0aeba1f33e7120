import { RESOURCE_BYTES } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { isUpload, resourceName } from '#web/items/lessons/resource/resource-name.ts'
import {
  type ResourceUpload,
  useResourceUpload,
} from '#web/items/lessons/resource/use-resource-upload.ts'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { useDroppedFile } from '#web/ui/inputs/dropped-file.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { FileButton } from '#web/ui/inputs/FileButton.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Meter } from '#web/ui/Meter.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import styles from './ResourceField.module.css'
import formStyles from '#web/ui/inputs/Form.module.css'

const MEGABYTE = 1024 * 1024

interface ResourceFieldProps {
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (resource: string) => void
  readonly onBlur: () => void
  /** Called with true while a file is being uploaded, for which the form waits. */
  readonly onBusy: (busy: boolean) => void
}

/** Takes one file, uploaded in chunks with a progress bar, or a link. */
export function ResourceField({ value, error, onChange, onBlur, onBusy }: ResourceFieldProps) {
  const { t } = useText()
  const upload = useResourceUpload(onChange, onBusy)
  return (
    <Field
      group
      name="resources"
      label={
        <>
          {t('resource')}{' '}
          <span className="quiet small">
            {t('resourceHelp', { megabytes: RESOURCE_BYTES / MEGABYTE })}
          </span>
        </>
      }
      error={upload.running?.failure ?? error ?? upload.refused}
    >
      {(wiring) => {
        if (upload.running !== null) return <Progress upload={upload} running={upload.running} />
        if (isUpload(value)) return <Uploaded url={value} onRemove={() => onChange('')} />
        return (
          <>
            <FileDrop labelledBy={wiring['aria-labelledby']} onFile={upload.start} />
            <TextInput
              id={wiring.id}
              aria-label={t('resourceLink')}
              aria-describedby={wiring['aria-describedby']}
              aria-invalid={wiring['aria-invalid']}
              type="url"
              value={value}
              placeholder={t('resourceLinkPlaceholder')}
              onChange={(event) => {
                upload.forgive()
                onChange(event.target.value)
              }}
              onBlur={onBlur}
            />
          </>
        )
      }}
    </Field>
  )
}

interface FileDropProps {
  readonly labelledBy: string
  readonly onFile: (file: File) => void
}

function FileDrop({ labelledBy, onFile }: FileDropProps) {
  const { t } = useText()
  const { isOver, target } = useDroppedFile(onFile)
  return (
    <div
      role="group"
      data-drop
      className={classes(formStyles.drop, isOver && formStyles.overIt)}
      aria-labelledby={labelledBy}
      {...target}
    >
      <FileButton onFile={onFile}>{t('chooseFile')}</FileButton>
      <span className="quiet">{t('dropFile')}</span>
    </div>
  )
}

function Uploaded({ url, onRemove }: { readonly url: string; readonly onRemove: () => void }) {
  const { t } = useText()
  const name = resourceName(url)
  return (
    <div className={styles.upload}>
      <Icon name="clip" />
      <span>
        <b>{name}</b> <span className="quiet">{t('uploadDone')}</span>
      </span>
      <IconButton icon="x" label={t('removeNamed', { name })} onClick={onRemove} />
    </div>
  )
}

interface ProgressProps {
  readonly upload: ResourceUpload
  readonly running: NonNullable<ResourceUpload['running']>
}

function Progress({ upload, running }: ProgressProps) {
  const { t, formatNumber } = useText()
  const { name, size, sent, failure, waits } = running
  const megabytes = (bytes: number) => formatNumber(Math.round((bytes / MEGABYTE) * 10) / 10)
  return (
    <div className={styles.upload}>
      <Icon name="clip" />
      <span>
        <b>{name}</b>{' '}
        <span className="quiet num">
          {t('uploadProgress', { sent: megabytes(sent), size: megabytes(size) })}
        </span>{' '}
        <span role="status">{waits && t('uploadWaits')}</span>
        {failure !== null && (
          <Button icon="retry" onClick={upload.resume}>
            {t('resumeUpload')}
          </Button>
        )}
      </span>
      <IconButton icon="x" label={t('stopUpload', { name })} onClick={upload.cancel} />
      <Meter value={sent} max={Math.max(size, 1)} label={t('uploadOf', { name })} />
    </div>
  )
}
