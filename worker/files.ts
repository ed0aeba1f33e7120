/** Scripts, styles and fonts of the build. */
export const FILE = /^\/assets\/[\w.-]{1,200}$/
export const FILES_IN_PAGE = /\/assets\/[\w.-]{1,200}/g
export const LONGEST_FETCH_MS = 15_000

export async function storeFiles(cache: Cache, files: readonly string[]): Promise<void> {
  for (const file of new Set(files)) {
    if ((await cache.match(file, { ignoreVary: true })) !== undefined) continue
    const answer = await fetch(file, { signal: AbortSignal.timeout(LONGEST_FETCH_MS) })
    if (answer.ok) await cache.put(file, answer)
  }
}
