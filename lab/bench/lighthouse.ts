/** Runs Lighthouse with npx, because it is not a dependency. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { LOCALES } from '#contract/messages/messages.ts'
import { findBrowser } from '#scripts/programs.mjs'
import { withDemo } from './demo.ts'
import { spread, type Settings } from './rounds.ts'
import { judged, type Section } from './table.ts'

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
/** Limits in ms, and the layout shift score. */
const TIMES = {
  'first-contentful-paint': Number.POSITIVE_INFINITY,
  'largest-contentful-paint': 2000,
  'total-blocking-time': Number.POSITIVE_INFINITY,
  'cumulative-layout-shift': 0.01,
} as const
/** Without hinting, because headless Chromium would round the widths of letters to whole pixels, which no phone does. */
const FLAGS =
  '--headless=new --no-sandbox --disable-gpu --disable-quic --disable-background-networking --font-render-hinting=none'

interface Report {
  readonly lighthouseVersion: string
  readonly categories: Record<string, { score: number | null }>
  readonly audits: Record<string, { numericValue?: number; score: number | null; title: string }>
}

/**
 * Runs Lighthouse on six pages in both languages, on a line and a processor that are really slowed down. Its
 * simulation would count every script that arrives before the first paint as needed for it, which is all of them on
 * loopback. @throws Error when npx can't run it
 */
export async function benchLighthouse(settings: Settings): Promise<Section[]> {
  const chrome = await findBrowser()
  return withDemo(async ({ origin, lesson, course, openLesson }) => {
    const pages = [
      ['/', '/'],
      ['/lesson/all', '/lesson/all'],
      ['a lesson', lesson],
      ['an open lesson', openLesson],
      ['a course', course],
      ['/login', '/login'],
    ] as const
    const rows: string[][] = []
    const raw: unknown[] = []
    const notes: string[] = []
    for (const locale of LOCALES) {
      for (const [name, path] of pages) {
        const reports: Report[] = []
        for (let run = 0; run < (settings.quick ? 1 : 5); run += 1) {
          reports.push(await runLighthouse(`${origin}${path}?lang=${locale}`, chrome))
        }
        const what = `${name} ${locale}`
        rows.push(describeReports(what, reports))
        const failed = failedAudits(reports)
        if (failed.length > 0) notes.push(`${what}: ${failed.join('; ')}`)
        raw.push({
          path,
          locale,
          reports: reports.map(({ categories, audits }) => ({
            categories,
            times: Object.keys(TIMES).map((time) => audits[time]?.numericValue),
          })),
        })
      }
    }
    return [
      {
        title: 'Lighthouse, mobile preset, applied throttling, median',
        columns: [
          'page',
          'performance',
          'accessibility',
          'best practices',
          'SEO',
          'FCP',
          'LCP',
          'TBT',
          'CLS',
          'goal',
        ],
        rows,
        notes: ['Goals: performance ≥ 95, the others 100; LCP ≤ 2000 ms, CLS ≤ 0.01.', ...notes],
        raw,
      },
    ]
  })
}

function describeReports(what: string, reports: readonly Report[]): string[] {
  const scores = CATEGORIES.map(
    (name) => spread(reports.map(({ categories }) => (categories[name]?.score ?? 0) * 100)).median,
  )
  const times = Object.keys(TIMES).map(
    (name) => spread(reports.map(({ audits }) => audits[name]?.numericValue ?? 0)).median,
  )
  const isReached =
    (scores[0] ?? 0) >= 95 &&
    scores.slice(1).every((score) => score === 100) &&
    Object.values(TIMES).every((aim, place) => (times[place] ?? 0) <= aim + 0.001)
  const [fcp = 0, lcp = 0, tbt = 0, cls = 0] = times
  return [
    what,
    ...scores.map((score) => score.toFixed(0)),
    ...[fcp, lcp, tbt].map((ms) => `${ms.toFixed(0)} ms`),
    cls.toFixed(3),
    judged('', isReached).trim(),
  ]
}

function failedAudits(reports: readonly Report[]): string[] {
  const names = new Set<string>()
  for (const { audits } of reports) {
    for (const audit of Object.values(audits)) {
      if (audit.score === 0) names.add(audit.title)
    }
  }
  return [...names]
}

async function runLighthouse(url: string, chrome: string): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-lighthouse-'))
  const file = join(folder, 'report.json')
  try {
    const child = spawn(
      'npx',
      [
        '--yes',
        'lighthouse@latest',
        url,
        '--output=json',
        `--output-path=${file}`,
        '--quiet',
        '--throttling-method=devtools',
        `--chrome-flags=${FLAGS}`,
      ],
      { env: { ...process.env, CHROME_PATH: chrome }, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const late = setTimeout(() => child.kill('SIGTERM'), 120_000)
    const errors = await text(child.stderr)
    clearTimeout(late)
    if (!existsSync(file))
      throw new Error(`Lighthouse ended without a report: ${errors.slice(-400)}`)
    return JSON.parse(await readFile(file, 'utf8')) as Report
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
