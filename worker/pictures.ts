/** Pictures of kept pages. Without a network none is ever broken. */

/** Pictures of ours, uploaded and drawn. */
const PICTURE = /^\/(?:files\/pictures|art)\/[\w./-]{1,300}$/
const IN_PAGE = /\ssrc="(\/(?:files\/pictures|art)\/[\w./-]{1,300})"/g
/** The folder of an uploaded picture, which has it in all its sizes. */
const FOLDER = /^\/files\/pictures\/[\w-]{1,100}\//
const MOST = 40
/** Stands where a picture can't be had. */
const PATCH = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9" preserveAspectRatio="none"><rect width="16" height="9" fill="#7f7f7f" fill-opacity=".25"/></svg>`

/** Whether a path is that of a picture of ours. */
export const isPicture = (pathname: string): boolean => PICTURE.test(pathname)

/** The pictures of a page, one size of each, 40 at most. */
export function picturesIn(html: string): string[] {
  const found = [...html.matchAll(IN_PAGE)].map(([, picture = '']) => picture)
  return [...new Set(found)].slice(0, MOST)
}

/** The picture from the network, else what is kept of it in any size, else a grey patch. */
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
