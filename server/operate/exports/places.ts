/** The picture's number is the same as in the JSON. */
export const pictureInZip = (id: number): string => `pictures/${id}.webp`

/** Each file has its own folder named by its id, because two files may have the same name. */
export const fileInZip = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  `files/${id}/${name}`

/** Encodes a path as a link in the page next to it. */
export const hrefOf = (place: string): string => place.split('/').map(encodeURIComponent).join('/')
