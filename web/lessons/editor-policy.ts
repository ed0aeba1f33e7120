/**
 * The pages refuse strings where HTML is meant (Trusted Types). The editor's library writes such strings when
 * something is pasted, so this chunk, and no other, makes them pass through a cleaner.
 */
import DOMPurify from 'dompurify'
import { trustedTypes } from '#web/lessons/trusted-types.ts'

/** Once per page; browsers without Trusted Types need nothing. */
export function cleanWhatTheEditorWrites() {
  const factory = trustedTypes()
  if (factory === undefined || factory.defaultPolicy) return
  factory.createPolicy('default', {
    createHTML: (html) => DOMPurify.sanitize(html, { RETURN_TRUSTED_TYPE: false }),
  })
}
