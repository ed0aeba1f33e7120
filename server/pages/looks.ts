/** Serves the site's own logo and colours. */
import type { FastifyInstance } from 'fastify'
import { BACKGROUNDS, WASH } from '#contract/contrast.ts'
import type { Current } from '#server/kernel/settings/site-settings.ts'

interface LooksNeeds {
  readonly settings: Current<'logo'>
  readonly headers: Readonly<Record<string, string>>
}

/** The paths name the content. */
const FOR_EVER = 'public, max-age=31536000, immutable'

export function registerLooks(app: FastifyInstance, { settings, headers }: LooksNeeds): void {
  app.get('/logo/:file', (request, reply) => {
    const { logo } = settings.current
    if (logo === null || logo.path !== request.url) return reply.callNotFound()
    return reply
      .headers({
        ...headers,
        'cache-control': FOR_EVER,
        'content-security-policy': "default-src 'none'",
      })
      .type('image/webp')
      .send(logo.content)
  })

  app.get<{ Params: { file: string } }>('/accent/:file', (request, reply) => {
    const colours = /^([\da-f]{6})?-([\da-f]{6})?\.css$/.exec(request.params.file)
    if (colours === null) return reply.callNotFound()
    const [, light, dark] = colours
    return reply
      .headers({ ...headers, 'cache-control': FOR_EVER })
      .type('text/css; charset=utf-8')
      .send(accentSheet(light, dark))
  })
}

/** Replaces the brand's tokens of web/ui/styles/tokens.css. Its layers lose against rules without one. */
function accentSheet(light: string | undefined, dark: string | undefined): string {
  const pair = (write: (scheme: 'light' | 'dark') => string, day: string, night: string) =>
    `light-dark(${light === undefined ? day : write('light')},${dark === undefined ? night : write('dark')})`
  const colour = { light: `#${light ?? ''}`, dark: `#${dark ?? ''}` }
  const hover = { light: 'black', dark: 'white' }
  return `:root:root{${[
    `--brand:${pair((scheme) => colour[scheme], 'var(--stall-700)', 'var(--stall-300)')}`,
    `--on-brand:${pair((scheme) => BACKGROUNDS[scheme].text, 'var(--wool-0)', 'var(--stall-950)')}`,
    `--brand-hover:${pair((scheme) => `color-mix(in srgb,${colour[scheme]} 80%,${hover[scheme]})`, 'var(--stall-800)', 'var(--stall-200)')}`,
    `--brand-wash:${pair((scheme) => `color-mix(in srgb,${colour[scheme]} ${WASH}%,${BACKGROUNDS[scheme].ground})`, 'var(--stall-100)', '#15352b')}`,
  ].join(';')}}`
}

/** The path names both colours, so browsers may keep the style sheet for ever. */
export function accentOf({
  SITE_ACCENT: light,
  SITE_ACCENT_DARK: dark,
}: Current<'SITE_ACCENT' | 'SITE_ACCENT_DARK'>['current']): { readonly accent?: string } {
  if (light === null && dark === null) return {}
  const [day, night] = [light, dark].map((colour) => colour?.slice(1) ?? '')
  return { accent: `/accent/${day}-${night}.css` }
}
