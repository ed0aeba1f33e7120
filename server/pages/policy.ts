/** Security headers of pages. A cached page can't contain a nonce, so the policy names inline scripts by hash. */
import { createHash } from 'node:crypto'
import { REPORTS_PATH } from '#server/pages/security/policy-reports.ts'
import type { Workshop } from '#server/pages/workshop.ts'

export type Headers = Readonly<Record<string, string>>

const FEATURES = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
/** Seconds in two years. */
const HSTS = 63_072_000

/**
 * @param inlineScripts their texts
 * @param origin of the pages; https adds HSTS
 * @param pictures another origin of pictures
 * @param workshop the development server, which inlines style sheets and announces changes
 */
export function pageHeaders(
  inlineScripts: readonly string[],
  origin: string,
  {
    pictures,
    workshop,
  }: {
    readonly pictures?: string | undefined
    readonly workshop?: Pick<Workshop, 'socket'> | undefined
  } = {},
): Headers {
  const secure = origin.startsWith('https:')
  return {
    ...commonHeaders(secure),
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self' ${inlineScripts.map(hashOf).join(' ')}`,
      `style-src 'self'${workshop === undefined ? '' : " 'unsafe-inline'"}`,
      `img-src 'self' data: blob:${pictures === undefined ? '' : ` ${pictures}`}`,
      "font-src 'self'",
      // Not every browser accepts a WebSocket of the same origin as 'self'.
      `connect-src 'self' ${origin.replace(/^http/, 'ws')}${workshop === undefined ? '' : ` ${workshop.socket}`}`,
      "media-src 'self' blob:",
      'frame-src https://www.youtube-nocookie.com',
      "form-action 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "manifest-src 'self'",
      "require-trusted-types-for 'script'",
      'trusted-types article default worker',
      // Sends both: only some browsers support the newer one, and those ignore the older.
      `report-uri ${REPORTS_PATH}`,
      'report-to policy',
      ...(secure ? ['upgrade-insecure-requests'] : []),
    ].join('; '),
    'reporting-endpoints': `policy="${REPORTS_PATH}"`,
    'cross-origin-opener-policy': 'same-origin',
    // The video's frame may go full screen and start with the click that opened it.
    'permissions-policy': FEATURES.map((name) =>
      name === 'autoplay' ? 'autoplay=(self "https://www.youtube-nocookie.com")' : `${name}=()`,
    ).join(', '),
    'x-frame-options': 'DENY',
  }
}

/** A URL that contains a secret must not be sent as a referrer, not even to our own pages. */
export function headersFor(url: string): Headers {
  const query = new URLSearchParams(url.split('?')[1])
  return query.has('token') || query.has('invitation') ? { 'referrer-policy': 'no-referrer' } : {}
}

/** Headers of every response that isn't a page. */
export function commonHeaders(secure: boolean): Headers {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(secure && { 'strict-transport-security': `max-age=${HSTS}; includeSubDomains` }),
  }
}

function hashOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
}
