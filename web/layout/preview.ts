/** The link preview, which the server renders as JPEG because some readers accept no other format. */
export const PREVIEW = { width: 1200, height: 630, type: 'image/jpeg' } as const

/** Falls back to the site's own preview. */
export function previewOf(image: string | undefined): string {
  const key = /^\/files\/pictures\/([0-9a-f]{40})\//.exec(image ?? '')?.[1]
  if (key !== undefined) return `/share/${key}.jpg`
  const [, art, seed] =
    /^\/art\/(cover|certificate|avatar)\/([\w-]{1,60})\.svg$/.exec(image ?? '') ?? []
  return seed === undefined ? '/share.jpg' : `/share/${art}-${seed}.jpg`
}
