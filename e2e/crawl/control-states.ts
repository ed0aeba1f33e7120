/** Functions that run inside a page. Each must be self-contained. */

/** Marks one control of each kind and place that is not in `seen`. @returns the new kinds */
export function markControls(seen: readonly string[]): string[] {
  for (const marked of document.querySelectorAll('[data-control]'))
    marked.removeAttribute('data-control')
  const known = new Set(seen)
  const found: string[] = []
  const controls = document.querySelectorAll(
    'a[data-kind], a[data-chip], button, input:not([type="hidden"]), select, textarea, summary, nav a',
  )
  for (const control of controls) {
    const names: string[] = []
    for (let box: Element | null = control; box !== null; box = box.parentElement)
      names.unshift([box.localName, ...box.classList].join('.'))
    const kind = names.join(' ').replace(/(cloth|drop|n)-\d+/g, '$1')
    if (known.has(kind)) continue
    known.add(kind)
    found.push(kind)
    control.setAttribute('data-control', kind)
  }
  return found
}

/**
 * Puts each marked control in each of its states and measures it. `pseudo` names the pseudo-classes that the
 * browser was told to force.
 */
export function measureControls(pseudo: string): string[] {
  interface Colour {
    readonly rgb: readonly number[]
    readonly alpha: number
  }
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const parse = (text: string): Colour => {
    if (context === null) throw new Error('no canvas')
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = text
    context.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0, a = 0] = context.getImageData(0, 0, 1, 1).data
    return { rgb: [r, g, b], alpha: a / 255 }
  }
  const over = (top: Colour, below: Colour, opacity = 1): Colour => {
    const share = top.alpha * opacity
    return {
      rgb: top.rgb.map((part, place) => part * share + (below.rgb[place] ?? 0) * (1 - share)),
      alpha: 1,
    }
  }
  const luminance = ({ rgb }: Colour) => {
    const [r = 0, g = 0, b = 0] = rgb.map((part) => {
      const value = part / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  /** Returns the background colour behind an element's text, or null for a picture. */
  const ground = (element: Element): Colour | null => {
    const layers: Colour[] = []
    for (let box: Element | null = element; box !== null; box = box.parentElement) {
      const style = getComputedStyle(box)
      if (style.backgroundImage !== 'none') return null
      const layer = parse(style.backgroundColor)
      if (layer.alpha > 0) layers.push(layer)
      if (layer.alpha === 1) break
    }
    const canvas = parse(getComputedStyle(document.body).backgroundColor)
    return layers.reduceRight((below, layer) => over(layer, below), canvas)
  }
  const opacityOf = (element: Element, control: Element) => {
    let opacity = 1
    for (let box: Element | null = element; box !== null; box = box.parentElement) {
      opacity *= Number(getComputedStyle(box).opacity)
      if (box === control) break
    }
    return opacity
  }
  const contrast = (element: Element, control: Element): number | null => {
    const below = ground(element)
    if (below === null) return null
    const isDrawn = element instanceof SVGElement
    const style = getComputedStyle(element)
    const ink = parse(isDrawn && style.stroke !== 'none' ? style.stroke : style.color)
    const opacity = opacityOf(element, control)
    // Skips invisible elements: the hidden input of a custom control, or a button that appears on hover.
    if (ink.alpha === 0 || opacity === 0) return null
    const seen = luminance(over(ink, below, opacity))
    const behind = luminance(below)
    return (Math.max(seen, behind) + 0.05) / (Math.min(seen, behind) + 0.05)
  }
  const isSaid = (element: Element) =>
    [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
    )
  const least = (element: Element) => {
    if (element instanceof SVGElement) return 3
    const { fontSize, fontWeight } = getComputedStyle(element)
    const size = Number.parseFloat(fontSize)
    return size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5
  }
  const lookOf = (control: Element) => {
    const { color, backgroundColor, borderTopColor, borderTopStyle, opacity } =
      getComputedStyle(control)
    return [color, backgroundColor, borderTopColor, borderTopStyle, opacity].join(' ')
  }
  const statesOf = (control: Element): readonly Readonly<Record<string, string>>[] => {
    const off =
      control.localName === 'a' || control.localName === 'summary'
        ? { 'aria-disabled': 'true' }
        : { disabled: '' }
    if (control.matches('nav a')) return [{}, { 'aria-current': 'page' }]
    if (control.matches('[data-chip]'))
      return [{}, off, { 'aria-current': 'true' }, { ...off, 'aria-current': 'true' }]
    if (control.matches('input, select, textarea')) {
      const wrong = { 'aria-invalid': 'true' }
      return [{}, off, wrong, { ...off, ...wrong }]
    }
    const pressed = { 'aria-pressed': 'true' }
    const ariaOff = { 'aria-disabled': 'true' }
    return [{}, off, ariaOff, pressed, { ...off, ...pressed }, { ...ariaOff, ...pressed }]
  }
  const names = ['disabled', 'aria-disabled', 'aria-pressed', 'aria-current', 'aria-invalid']
  const looks = ((window as unknown as { controlLooks?: Map<string, string> }).controlLooks ??=
    new Map())
  const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const faults: string[] = []
  for (const control of document.querySelectorAll('[data-control]')) {
    const kind = control.getAttribute('data-control') ?? ''
    const before = names.map((name) => control.getAttribute(name))
    for (const state of statesOf(control)) {
      for (const name of names) control.removeAttribute(name)
      for (const [name, value] of Object.entries(state)) control.setAttribute(name, value)
      const states = [...Object.keys(state), pseudo].join(' ')
      // It was first measured without pseudo-classes.
      const key = `${scheme} ${kind} ${Object.keys(state).join(' ')}`
      const plain = `${scheme} ${kind} `
      const look = lookOf(control)
      if (pseudo === '') looks.set(key, look)
      const isOff = 'disabled' in state || 'aria-disabled' in state
      const hasLook = looks.get(key) !== looks.get(plain)
      if (isOff && hasLook && look !== looks.get(key))
        faults.push(`${kind} [${states}] looks otherwise than when it is only disabled`)
      if (
        isOff &&
        !hasLook &&
        // The shared kinds; other controls are never disabled.
        control.matches(
          '[data-kind], [data-chip], [class*=IconButton-module_iconBtn], [class*=Field-module_input]',
        )
      )
        faults.push(`${kind} [${states}] looks as if it could be pressed`)
      const parts = [control, ...control.querySelectorAll('*')].filter(
        (part) =>
          part.closest('.coin, .sr') === null &&
          (isSaid(part) || part.localName === 'svg' || part.matches('input, select, textarea')),
      )
      for (const part of parts) {
        const measured = contrast(part, control)
        if (measured !== null && measured < least(part))
          faults.push(`${kind} [${states}] ${part.localName}: ${measured.toFixed(2)}`)
      }
    }
    for (const [place, name] of names.entries()) {
      const value = before[place]
      if (value === null || value === undefined) control.removeAttribute(name)
      else control.setAttribute(name, value)
    }
  }
  return faults
}

/**
 * Returns texts outside of articles whose font style is synthesised because our fonts lack it: an oblique sans, or
 * a bold italic.
 */
export function synthesisedFonts(): string[] {
  const found: string[] = []
  for (const element of document.querySelectorAll('body *')) {
    const hasWords = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
    )
    if (!hasWords || element.closest('.prose, script, style, noscript') !== null) continue
    const { fontStyle, fontFamily, fontWeight } = getComputedStyle(element)
    if (fontStyle !== 'italic') continue
    if (!fontFamily.startsWith('Vollkorn') || Number(fontWeight) >= 600)
      found.push(`${element.localName}.${element.className}: italic ${fontWeight} ${fontFamily}`)
  }
  return [...new Set(found)]
}
