import type { Person, TestApp } from '#server/testing/app.ts'

/** Follows an OpenID Connect sign-in. Keeps cookies by origin. */
export class SignInBrowser {
  readonly #app: TestApp

  readonly jars = new Map<string, Map<string, string>>()

  constructor(app: TestApp) {
    this.#app = app
  }

  cookiesOf(url: string): string {
    const jar = this.jars.get(new URL(url).host) ?? new Map<string, string>()
    return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Follows redirects until a page of the site, and returns its path. */
  async go(url: string): Promise<string> {
    let at = url
    for (let steps = 0; steps < 15; steps += 1) {
      const answer = await fetch(at, {
        redirect: 'manual',
        headers: { cookie: this.cookiesOf(at) },
      })
      this.keep(at, answer.headers)
      const target = answer.headers.get('location')
      if (target === null)
        throw new Error(`${at} answered ${answer.status}: ${await answer.text()}`)
      at = new URL(target, at).href
      const { origin, pathname } = new URL(at)
      if (origin === this.#app.url && !pathname.startsWith('/oidc/'))
        return at.slice(this.#app.url.length)
    }
    throw new Error('too many redirects')
  }

  async call<Body>(method: string, path: string, json?: unknown, as?: Person) {
    const answer = await this.#app.call<Body>(method, path, {
      ...(json !== undefined && { json }),
      ...(as !== undefined && { as }),
      headers: { cookie: this.cookiesOf(this.#app.url), origin: this.#app.url },
    })
    this.keep(this.#app.url, answer.headers)
    return answer
  }

  keep(url: string, headers: Headers): void {
    const { host } = new URL(url)
    const jar = this.jars.get(host) ?? new Map<string, string>()
    this.jars.set(host, jar)
    for (const line of headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const equals = pair.indexOf('=')
      const isGone = /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)
      if (isGone) jar.delete(pair.slice(0, equals))
      else jar.set(pair.slice(0, equals), pair.slice(equals + 1))
    }
  }
}
