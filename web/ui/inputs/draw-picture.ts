/** Renders an SVG text that has a viewBox into a PNG file. Throws if the browser cannot. */
export async function drawPicture(
  svg: string,
  width: number,
  height: number,
  name: string,
): Promise<File> {
  const sized = svg.replace('<svg ', `<svg width="${width}" height="${height}" `)
  const url = URL.createObjectURL(new Blob([sized], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    canvas.getContext('2d')?.drawImage(image, 0, 0, width, height)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (blob === null) throw new Error('no picture was drawn')
    return new File([blob], name, { type: 'image/png' })
  } finally {
    URL.revokeObjectURL(url)
  }
}
