/** Schemas for environment variables, each with its error message. */
import { isIP } from 'node:net'
import * as z from 'zod'
import { parseS3Address, type S3Address } from '#server/kernel/s3-address.ts'
import { readRedisUrl, RedisUrlError } from '#server/kernel/settings/redis-settings.ts'

/** Both bounds are allowed. */
export const between = (min: number, max: number, kind: string) => {
  const error = `must be a ${kind} from ${min} to ${max}`
  return z.coerce.number({ error }).min(min, error).max(max, error)
}
/** Both bounds are allowed. */
export const whole = (min: number, max: number) =>
  between(min, max, 'whole number').int(`must be a whole number from ${min} to ${max}`)
export const oneOf = <const Choices extends readonly [string, ...string[]]>(choices: Choices) =>
  z.enum(choices, { error: `must be one of ${choices.join(', ')}` })
export const secret = (key: string) => key.length >= 32
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)
export const pairs = z.string().transform((text, context): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*([\w!#$&'*.^`|~-]+)\s*=\s*([^\s]*)\s*$/.exec(part) ?? []
    const decoded = decodePart(value)
    if (name === '' || decoded === null || /[^\t\x20-\x7e]/.test(decoded)) {
      const message = 'must be names with values as in name=value,other=value, percent-encoded'
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    found[name] = decoded
  }
  return found
})

function decodePart(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Reads percent-encoded pairs such as `name=value,other=value`. */
export const addresses = list.refine(
  (all) => all.every(isRange),
  'must be addresses such as 10.1.2.3, or ranges such as 10.1.0.0/16',
)

function isRange(text: string): boolean {
  const [net = '', bits, ...others] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(net)] ?? -1
  if (most === -1 || others.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
}

export const origin = z
  .string()
  .regex(/^https?:\/\/[^/\s]+$/, 'must be an origin such as https://bazaar.example')
/**
 * A scheme and a host. It goes into a header of every page, so characters that are special there aren't allowed.
 */
export const host = z
  .string()
  .regex(
    /^https?:\/\/(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[a-f\d:]+\])(?::\d{1,5})?$/i,
    'must be a scheme and a host such as https://cdn.example, without path or slash behind it (a name in other letters as xn--…)',
  )
  .transform((text) => text.toLowerCase())
export const line = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .max(120, 'must have at most 120 characters')
  .regex(/^[^\p{Cc}]*$/u, 'must be one line')
export const s3 = z.string().transform((text, context) => {
  const address = parseS3Address(text)
  if (typeof address !== 'string') return address
  context.addIssue({ code: 'custom', message: address })
  return z.NEVER
})
export function refuseWrongRedisUrl(url: string, context: z.RefinementCtx): void {
  try {
    readRedisUrl(url)
  } catch (error) {
    if (!(error instanceof RedisUrlError)) throw error
    context.addIssue({ code: 'custom', message: `must ${error.message}` })
  }
}

export type BackupAddress = { readonly folder: string } | { readonly bucket: S3Address }

/** An absolute path or the address of a bucket. */
export const backupPlace = z.string().transform((text, context): BackupAddress => {
  const folder = /^(?:file:\/\/)?(\/.+)$/.exec(text)?.[1]
  if (folder !== undefined) return { folder }
  const address = parseS3Address(text)
  if (typeof address !== 'string') return { bucket: address }
  const message = `must be a folder as in file:///srv/backups, or the address of a bucket, which ${address}`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})
/** server/operate/backup/retention.ts parses it. */
export const retention = z
  .string()
  .regex(/^\d{1,3}[dwm](,\d{1,3}[dwm]){0,2}$/, 'must name days, weeks, months, as in 7d,4w,12m')
/** An attacker who has the archive can try any number of passphrases, so it needs some length. */
export const passphrase = z.string().min(10, 'must have at least 10 characters')
