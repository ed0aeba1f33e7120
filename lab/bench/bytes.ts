/** Measures bytes and requests of pages in a browser as they are transferred. */
import { chromium, type CDPSession } from '@playwright/test'
import { findBrowser } from '#scripts/programs.mjs'
import { withDemo, type SignedIn } from './demo.ts'
import { judged, type Section } from './table.ts'

interface Loaded {
  readonly url: string
  readonly type: string
  /** Of the compressed body. */
  readonly bytes: number
  /** Of the response headers. */
  readonly head: number
}

const KB = 1024
const GUESTS = ['/', '/lesson/all', '/course/all', '/login', '/register']
const SIGNED_IN = ['/liked', '/course/bought', '/course/create', '/profile/update', '/points']

interface Visit {
  readonly origin: string
  readonly path: string
  readonly locale: 'en' | 'bg'
  readonly person?: SignedIn | undefined
}

/** @throws when no browser is installed */
export async function benchBytes(): Promise<Section[]> {
  const executablePath = await findBrowser()
  return withDemo(async ({ origin, lesson, course, openLesson, openCourse, learner }) => {
    const rows: string[][] = []
    const raw: unknown[] = []
    const own = `/profile/${learner.id}`
    const load = async (locale: 'en' | 'bg', path: string, person?: SignedIn) => {
      const loaded = await loadPage(executablePath, { origin, path, locale, person })
      const who = person === undefined ? '' : ', signed in'
      raw.push({ path, locale, loaded })
      const what = `${path.replace(learner.id, 'own')}${who} ${locale}`
      const aims = { ...(person === undefined ? GUEST_AIMS : SIGNED_IN_AIMS), ...AIMS[locale] }
      rows.push(describePage(what, origin, loaded, aims))
    }
    for (const path of [...GUESTS, lesson, course, openLesson, openCourse]) await load('en', path)
    for (const path of [...SIGNED_IN, own]) await load('en', path, learner)
    // Texts and fonts of another language differ in the same way on each page.
    for (const path of ['/', lesson]) await load('bg', path)
    await load('bg', own, learner)
    return [
      {
        title: 'Bytes of pages in Chromium, from an empty cache to 2 s after the last request',
        columns: [
          'page',
          'script',
          'style',
          'fonts',
          'HTML',
          'pictures',
          'heads',
          'requests',
          'elsewhere',
          'over the goals',
        ],
        rows,
        notes: [
          'KB as they come over the wire, the heads of answers apart; requests without pictures.',
          'Goals: script ≤ 160, requests ≤ 12 for guests, 230 and 20 for the signed-in; style ≤ 20, fonts ≤ 70 en and ≤ 90 bg, HTML ≤ 15, nothing from elsewhere.',
        ],
        raw,
      },
    ]
  })
}

/** In KB, and requests without pictures. */
const GUEST_AIMS = { script: 160, requests: 12 }
const SIGNED_IN_AIMS = { script: 230, requests: 20 }
const AIMS = {
  en: { style: 20, fonts: 70, HTML: 15 },
  bg: { style: 20, fonts: 90, HTML: 15 },
}

function describePage(
  what: string,
  origin: string,
  loaded: readonly Loaded[],
  aims: Readonly<Record<'script' | 'style' | 'fonts' | 'HTML' | 'requests', number>>,
): string[] {
  const sum = (...types: string[]) =>
    loaded
      .filter(({ type }) => types.includes(type))
      .reduce((total, { bytes }) => total + bytes, 0) / KB
  const measured = {
    script: sum('Script'),
    style: sum('Stylesheet'),
    fonts: sum('Font'),
    HTML: sum('Document'),
  }
  const requests = loaded.filter(({ type }) => type !== 'Image').length
  const elsewhere = loaded.filter(
    ({ url }) => !url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:'),
  )
  const over = [
    ...(['script', 'style', 'fonts', 'HTML'] as const).filter(
      (type) => measured[type] > aims[type],
    ),
    ...(requests > aims.requests ? ['requests'] : []),
    ...(elsewhere.length > 0 ? [`elsewhere: ${elsewhere[0]?.url ?? ''}`] : []),
  ]
  return [
    what,
    ...Object.values(measured).map((size) => size.toFixed(1)),
    sum('Image').toFixed(1),
    (loaded.reduce((total, { head }) => total + head, 0) / KB).toFixed(1),
    String(requests),
    String(elsewhere.length),
    judged(over.join(', '), over.length === 0).trim(),
  ]
}

async function loadPage(
  executablePath: string,
  { origin, path, locale, person }: Visit,
): Promise<Loaded[]> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  try {
    const context = await browser.newContext({ locale, viewport: { width: 390, height: 844 } })
    if (person !== undefined) {
      await context.addCookies([{ name: 'kb', value: person.cookie, url: origin }])
      await context.addInitScript(
        (session) => window.localStorage.setItem('auth', session),
        person.session,
      )
    }
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    const loaded = await watchNetwork(session)
    await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' })
    await page.waitForTimeout(2000)
    return [...loaded.values()]
  } finally {
    await browser.close()
  }
}

/** Each entry is updated until its request ends. */
async function watchNetwork(session: CDPSession): Promise<Map<string, Loaded>> {
  const loaded = new Map<string, Loaded>()
  session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    loaded.set(requestId, { url: request.url, type: type ?? 'Other', bytes: 0, head: 0 })
  })
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    const entry = loaded.get(requestId)
    // The browser's data events contain no size.
    const bytes = Number(new Headers(response.headers).get('content-length') ?? 0)
    if (entry !== undefined) loaded.set(requestId, { ...entry, type, bytes })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const entry = loaded.get(requestId)
    if (entry !== undefined)
      loaded.set(requestId, { ...entry, head: encodedDataLength - entry.bytes })
  })
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: false })
  return loaded
}
