/** Where things lie in the archive of a person's data. */

/** A picture, by its number, which is the same in the JSON. */
export const pictureInZip = (id: number): string => `pictures/${id}.webp`

/** An uploaded file: two may have one name, so each has a folder of its own, by its id. */
export const fileInZip = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  `files/${id}/${name}`

/** The same as an address of a page beside them. */
export const hrefOf = (place: string): string => place.split('/').map(encodeURIComponent).join('/')
