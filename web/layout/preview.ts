/** The picture that a link preview shows, as the server draws it for readers that take JPEG only. */
export const PREVIEW = { width: 1200, height: 630, type: 'image/jpeg' } as const

/** The path of a page's preview, by the path of its picture; without one, the product's own. */
export function previewOf(image: string | undefined): string {
  const key = /^\/files\/pictures\/([0-9a-f]{40})\//.exec(image ?? '')?.[1]
  if (key !== undefined) return `/share/${key}.jpg`
  const [, art, seed] = /^\/art\/(cover|certificate)\/([\w-]{1,60})\.svg$/.exec(image ?? '') ?? []
  return seed === undefined ? '/share.jpg' : `/share/${art}-${seed}.jpg`
}
