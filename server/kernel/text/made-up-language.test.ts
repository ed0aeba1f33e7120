/** e2e/made-up-language.slow.test.ts visits the pages in it. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { copyWithLanguage, MADE_UP, MISSING } from '#server/testing/made-up-language.ts'

const PROGRAM = `
import { LOCALES, LANGUAGES } from '#contract/messages/messages.ts'
import { SETTING_NAMES } from '#contract/settings.ts'
import { resolveSettings } from '#server/kernel/settings/site-settings.ts'
import { chooseLocale, translate } from '#server/kernel/text/messages.ts'
const { names } = resolveSettings({ SITE_TAGLINE_XX: 'Made up' }).settings
console.log(JSON.stringify({
  isLast: LOCALES.at(-1) === '${MADE_UP}',
  name: LANGUAGES['${MADE_UP}'].name,
  chosen: chooseLocale(undefined, undefined, 'xx-YY, en;q=0.5'),
  plural: translate('${MADE_UP}', 'courseCount', { total: 2 }),
  missing: translate('${MADE_UP}', '${MISSING}'),
  names: names['${MADE_UP}'],
  hasSetting: SETTING_NAMES.includes('SITE_NAME_XX'),
}))`

test('a file alone adds a language to the server, and a text that it lacks is English', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kb-language-'))
  try {
    await copyWithLanguage(folder, ['contract', 'server/kernel', 'package.json'])
    const words = ['--input-type=module', '--eval', PROGRAM]
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder })
    expect(JSON.parse(stdout)).toEqual({
      isLast: true,
      name: '⟦Language⟧',
      chosen: MADE_UP,
      plural: '⟦2 courses⟧',
      missing: 'Advertising partners',
      names: { site: '⟦Knowledge Bazaar⟧', tagline: 'Made up' },
      hasSetting: true,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
