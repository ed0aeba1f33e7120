import { type Locale, tagOf } from '#contract/messages/messages.ts'

export interface Formats {
  /** 12,800. */
  readonly formatNumber: (value: number) => string
  /** 12.8K. */
  readonly formatCompact: (value: number) => string
  /** 97 %. */
  readonly formatPercent: (share: number) => string
  /** 21/11/2026 10:31, in the browser's zone unless one is given. */
  readonly formatTime: (date: string | Date, zone?: string) => string
  /** 10:31. */
  readonly formatClock: (date: string | Date, zone?: string) => string
  /** 22 Oct 2025. */
  readonly formatDate: (date: string | Date, zone?: string) => string
  /** 22 Oct 2025, 10:31. */
  readonly formatMoment: (date: string | Date, zone?: string) => string
  /** 21 November. */
  readonly formatDay: (date: string | Date, zone?: string) => string
  /** 21 Nov. */
  readonly formatShortDay: (date: string | Date, zone?: string) => string
  /** Saturday, 21 November 2026. */
  readonly formatLongDay: (date: string | Date, zone?: string) => string
  /** November 2026. */
  readonly formatMonth: (date: string | Date, zone?: string) => string
  /** Splits "a, b and c" into items and separators, for items that are elements. */
  readonly listParts: (items: readonly string[]) => readonly ListPart[]
}

export interface ListPart {
  readonly isItem: boolean
  readonly text: string
}

/** Formatters are expensive to create, so create one set for each language and reuse it. */
export function createFormats(locale: Locale): Formats {
  const tag = tagOf(locale)
  const grouped = new Intl.NumberFormat(tag)
  const compact = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(tag, { style: 'percent' })
  const list = new Intl.ListFormat(tag, { type: 'conjunction' })
  const formatClock: Formats['formatClock'] = (date, zone) =>
    dayAndTime(new Date(date), zone).split(' ')[1] ?? ''
  const formatDate: Formats['formatDate'] = (date, zone) =>
    formatter(tag, zone, { day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(date))
  return {
    // Most numbers on a page are below 1000; formatting them took an eighth of its rendering time.
    formatNumber: (value) =>
      isShort(value) ? String(value) : grouped.format(value).replace('-', '−'),
    formatCompact: (value) => (isShort(value) ? String(value) : compact.format(value)),
    formatPercent: (share) => percent.format(share),
    formatTime: (date, zone) => dayAndTime(new Date(date), zone),
    formatClock,
    formatDate,
    formatMoment: (date, zone) => `${formatDate(date, zone)}, ${formatClock(date, zone)}`,
    formatDay: (date, zone) =>
      formatter(tag, zone, { day: 'numeric', month: 'long' }).format(new Date(date)),
    formatShortDay: (date, zone) =>
      formatter(tag, zone, { day: 'numeric', month: 'short' }).format(new Date(date)),
    formatLongDay: (date, zone) =>
      formatter(tag, zone, {
        weekday: 'long',
        day: 'numeric',
        month: 'long',
        year: 'numeric',
      }).format(new Date(date)),
    formatMonth: (date, zone) =>
      formatter(tag, zone, { month: 'long', year: 'numeric' }).format(new Date(date)),
    listParts: (items) =>
      list
        .formatToParts(items)
        .map(({ type, value }) => ({ isItem: type === 'element', text: value })),
  }
}

/** Whether the number looks the same in every language. */
const isShort = (value: number): boolean => Number.isInteger(value) && value >= 0 && value < 1000

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Caches formatters, because creating one costs more than using it a hundred times. */
function formatter(
  tag: string,
  zone: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${tag} ${zone ?? ''} ${Object.entries(options).join()}`
  const known = formatters.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(tag, {
    ...options,
    ...(zone !== undefined && { timeZone: zone }),
  })
  formatters.set(key, made)
  return made
}

/** Day/month/year hour:minute in every language, as the specification requires. */
function dayAndTime(date: Date, zone: string | undefined): string {
  if (zone === 'UTC') return dayAndTimeInUtc(date)
  const options = {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  } as const
  const parts = formatter('en-GB', zone, options).formatToParts(date)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((candidate) => candidate.type === type)?.value ?? ''
  return `${part('day')}/${part('month')}/${part('year')} ${part('hour')}:${part('minute')}`
}

/** The server writes all times in UTC, and Intl took a tenth of the rendering time of fifty comments. */
function dayAndTimeInUtc(date: Date): string {
  const pad = (part: number) => String(part).padStart(2, '0')
  const day = `${pad(date.getUTCDate())}/${pad(date.getUTCMonth() + 1)}/${date.getUTCFullYear()}`
  return `${day} ${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}`
}
