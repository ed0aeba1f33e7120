/** Pictures of stored pages. Offline, a missing picture is replaced by a grey rectangle. */

/** Uploaded and drawn pictures. */
const PICTURE = /^\/(?:files\/pictures|art)\/[\w./-]{1,300}$/
const IN_PAGE = /\ssrc="(\/(?:files\/pictures|art)\/[\w./-]{1,300})"/g
/** The folder with all sizes of an uploaded picture. */
const FOLDER = /^\/files\/pictures\/[\w-]{1,100}\//
const MOST = 40
/** Replaces a picture that isn't available. */
const PATCH = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9" preserveAspectRatio="none"><rect width="16" height="9" fill="#7f7f7f" fill-opacity=".25"/></svg>`

/** True for the path of a picture of this site. */
export const isPicture = (pathname: string): boolean => PICTURE.test(pathname)

/** Returns the pictures of a page, each in one size, at most 40. */
export function picturesIn(html: string): string[] {
  const found = [...html.matchAll(IN_PAGE)].map(([, picture = '']) => picture)
  return [...new Set(found)].slice(0, MOST)
}

/** Answers with the picture from the network, or a stored one of any size, or a grey rectangle. */
export async function answerPicture(
  request: Request,
  openKept: () => Promise<Cache | null>,
): Promise<Response> {
  try {
    return await fetch(request)
  } catch {
    const kept = await openKept().catch(() => null)
    const { pathname } = new URL(request.url)
    const stored = await kept?.match(pathname, { ignoreVary: true })
    return stored ?? (await anySize(kept, pathname)) ?? patch()
  }
}

async function anySize(kept: Cache | null, pathname: string): Promise<Response | undefined> {
  const folder = FOLDER.exec(pathname)?.[0]
  if (kept === null || folder === undefined) return undefined
  const other = (await kept.keys()).find(({ url }) => new URL(url).pathname.startsWith(folder))
  return other && kept.match(other, { ignoreVary: true })
}

const patch = () => new Response(PATCH, { headers: { 'content-type': 'image/svg+xml' } })
