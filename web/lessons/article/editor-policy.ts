/**
 * The pages refuse strings where HTML is meant (Trusted Types). The editor's library writes such strings when
 * something is pasted, so this chunk, and no other, makes them pass through a cleaner.
 */
import DOMPurify from 'dompurify'
import { articlePolicy } from '#web/lessons/article/article-html.ts'
import { trustedTypes } from '#web/lessons/article/trusted-types.ts'

/** Once per page; browsers without Trusted Types need nothing. */
export function cleanWhatTheEditorWrites() {
  const factory = trustedTypes()
  if (factory === undefined || factory.defaultPolicy) return
  // The cleaner would make a policy of its own, which the pages do not allow; it parses with ours.
  DOMPurify.setConfig({ RETURN_TRUSTED_TYPE: false, TRUSTED_TYPES_POLICY: articlePolicy() ?? null })
  factory.createPolicy('default', { createHTML: (html) => DOMPurify.sanitize(html) })
}
