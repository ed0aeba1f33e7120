/** What a guest loads of a page, on a phone, and of the front page on a wide screen too: scripts and styles, compressed, with an empty cache. */
import { LOCALES } from '#contract/messages/messages.ts'
import { expect, test, visit } from './fixtures.ts'
import { publish, publishCourse, register } from './people.ts'

/** KB of scripts: the goal. */
const SCRIPTS = 115
/** KB of styles: the goal. */
const STYLES = 14
const PHONE = { width: 390, height: 844 }
const WIDE = { width: 1440, height: 900 }

for (const locale of LOCALES) {
  test(`a guest loads 115 KB of scripts and 14 of styles at most: ${locale}`, async ({
    browser,
    server,
  }) => {
    const author = await register(server.url)
    const lessons: number[] = []
    while (lessons.length < 12) lessons.push(await publish(server.url, author, { tags: 'опит' }))
    const [preview = 0] = lessons
    const locked = await publishCourse(server.url, author, lessons.slice(6))
    const open = await publishCourse(server.url, author, lessons.slice(0, 6), {
      freePreview: String(preview),
    })
    const tag = encodeURIComponent('опит')
    const wrong: string[] = []
    for (const [path, viewport] of [
      ['/', PHONE],
      // Its rows of cards slide there.
      ['/', WIDE],
      ['/lesson/all', PHONE],
      ['/course/all', PHONE],
      [`/tag/${tag}`, PHONE],
      [`/search?q=${tag}`, PHONE],
      [`/lesson/details/${lessons.at(-1)}`, PHONE],
      [`/course/details/${locked}`, PHONE],
      [`/lesson/details/${preview}`, PHONE],
      [`/course/details/${open}/${preview}`, PHONE],
      ['/login', PHONE],
      ['/register', PHONE],
      ['/password/forgot', PHONE],
      ['/password/reset?token=none', PHONE],
      ['/password/reset', PHONE],
      ['/email/confirm?token=none', PHONE],
      ['/email/unsubscribe?token=none', PHONE],
      ['/report', PHONE],
      ['/about', PHONE],
      ['/privacy-policy', PHONE],
      ['/api/docs', PHONE],
      ['/lesson/details/987654', PHONE],
      ['/nothing/here', PHONE],
    ] as const) {
      const context = await browser.newContext({ locale, baseURL: server.url, viewport })
      const page = await context.newPage()
      const sizes = { script: 0, stylesheet: 0 }
      page.on('response', (response) => {
        const type = response.request().resourceType()
        if (type === 'script' || type === 'stylesheet')
          sizes[type] += Number(response.headers()['content-length'])
      })
      await visit(page, path)
      const scripts = sizes.script / 1024
      const styles = sizes.stylesheet / 1024
      expect(scripts, path).toBeGreaterThan(80)
      expect(styles, path).toBeGreaterThan(5)
      if (scripts > SCRIPTS || styles > STYLES)
        wrong.push(`${path}: ${scripts.toFixed(1)} KB of scripts, ${styles.toFixed(1)} of styles`)
      await context.close()
    }
    expect(wrong).toEqual([])
  })
}
