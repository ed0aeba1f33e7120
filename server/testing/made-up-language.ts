/** A language that exists only as a file, for tests that it needs nothing else. */
import { cp, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readLanguage } from '#server/kernel/text/locales.ts'

export const MADE_UP = 'xx'
/** A text that the language lacks. */
export const MISSING = 'privacyAds'

/** Puts the words between tags in brackets. A tag is never within the syntax of a plural. */
const wrap = (text: string) =>
  text
    .split(/(<[^>]+>)/)
    .map((part) => (part.startsWith('<') || !/[a-z]/i.test(part) ? part : `⟦${part}⟧`))
    .join('')

/** The texts of English in brackets, without one. */
function makeUp() {
  const wrapAll = (texts: object) =>
    Object.fromEntries(
      Object.entries(texts).flatMap(([key, text]) =>
        key === MISSING ? [] : [[key, wrap(String(text))]],
      ),
    )
  const sections = Object.entries(readLanguage('en')).map(([name, texts]) => [
    name,
    typeof texts === 'string' ? texts : wrapAll(texts),
  ])
  return { ...Object.fromEntries(sections), name: '⟦Language⟧', tag: MADE_UP }
}

/** Copies files of the repository to a folder, and adds the language to them. */
export async function copyWithLanguage(folder: string, sources: readonly string[]): Promise<void> {
  for (const source of sources) await cp(source, join(folder, source), { recursive: true })
  await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  const file = join(folder, 'contract/messages', `${MADE_UP}.json`)
  await writeFile(file, JSON.stringify(makeUp()))
}
