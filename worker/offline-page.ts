/** The page that is shown without a network, in the languages that readers use. */
import { FILES_IN_PAGE, storeFiles } from './files.ts'

export const OFFLINE = '/offline'
export const DEFAULT_LOCALE = 'en'

/** Stores the page in a language with its files, unless it is there. */
export async function storeOfflinePage(shell: Cache, locale: string): Promise<void> {
  const address = offlineIn(locale)
  if ((await shell.match(address, { ignoreVary: true })) !== undefined) return
  const answer = await fetch(address, { credentials: 'omit', cache: 'no-store' })
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`)
  const html = await answer.clone().text()
  await storeFiles(shell, html.match(FILES_IN_PAGE) ?? [])
  await shell.put(address, answer)
}

export const offlineIn = (locale: string) => `${OFFLINE}?lang=${encodeURIComponent(locale)}`
