// The colors of an accent hue, as browsers show them on a screen of the sRGB gamut (src/web/styles/tokens.css).

/** Red, green and blue from 0 to 1, in linear light. */
export type Color = readonly [red: number, green: number, blue: number]

/**
 * Returns an OKLCH color in linear sRGB. The chroma of a color outside the gamut is reduced until the color fits; its lightness and hue stay. `hue` is
 * in degrees.
 */
export function oklch(lightness: number, chroma: number, hue: number): Color {
  const angle = (hue * Math.PI) / 180
  let [least, most] = [0, chroma]
  if (isInGamut(fromOklab(lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)))) least = chroma
  else
    for (let step = 0; step < 20; step++) {
      const middle = (least + most) / 2
      if (isInGamut(fromOklab(lightness, middle * Math.cos(angle), middle * Math.sin(angle)))) least = middle
      else most = middle
    }
  const [red, green, blue] = fromOklab(lightness, least * Math.cos(angle), least * Math.sin(angle))
  return [clamped(red), clamped(green), clamped(blue)]
}

function fromOklab(lightness: number, a: number, b: number): Color {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}
const isInGamut = (color: Color): boolean => color.every((channel) => channel >= -0.0005 && channel <= 1.0005)
const clamped = (channel: number): number => Math.min(1, Math.max(0, channel))

const luminance = ([red, green, blue]: Color): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue

/** Returns the contrast ratio of two colors (WCAG 2), from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

/** Converts one color channel from sRGB, 0 to 255, to linear light, 0 to 1. */
const linear = (byte: number): number => {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
/** Parses a color such as `#fc641e`; returns null for any other text. */
export function parseHex(text: string): Color | null {
  const found = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text.trim())
  return found ? (found.slice(1).map((part) => linear(Number.parseInt(part, 16))) as unknown as Color) : null
}
/** Returns a color as `#rrggbb`. */
export const toHex = (color: Color): string =>
  `#${color
    .map((channel) => (channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055))
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** Returns the OKLCH hue of a color in whole degrees; null for a gray. */
export function hueOf([red, green, blue]: Color): number | null {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  if (Math.hypot(a, b) < 0.02) return null
  return Math.round(((Math.atan2(b, a) * 180) / Math.PI + 360) % 360) % 360
}

type Theme = 'light' | 'dark'
type Pair = Readonly<Record<Theme, Color>>
/** The page background of each theme. */
export const backgrounds: Pair = { light: oklch(0.984, 0.008, 84), dark: oklch(0.168, 0.014, 48) }
const wells: Pair = { light: oklch(0.96, 0.012, 82), dark: oklch(0.14, 0.012, 48) }
const onBrand = oklch(0.19, 0.035, 40)

/** Returns the color of graphics in the light theme. Hues that look too light are darkened so that graphics reach a contrast of 3. */
function graphicOf(hue: number): Color {
  const usual = oklch(0.64, 0.205, hue)
  return contrast(usual, wells.light) >= 3 ? usual : oklch(0.615, 0.205, hue)
}

/** Returns the accent colors of a hue by their names in tokens.css. Lightness and chroma are those of tokens.css, fitted into the sRGB gamut. */
export const accentColors = (hue: number): Record<'brand' | 'hover' | 'text' | 'graphic' | 'soft', Pair> => ({
  brand: { light: oklch(0.69, 0.2, hue), dark: oklch(0.715, 0.185, hue + 3) },
  hover: { light: oklch(0.655, 0.2, hue - 1), dark: oklch(0.755, 0.15, hue + 11) },
  text: { light: oklch(0.51, 0.17, hue - 5), dark: oklch(0.785, 0.13, hue + 11) },
  graphic: { light: graphicOf(hue - 3), dark: oklch(0.715, 0.185, hue + 3) },
  soft: { light: oklch(0.945, 0.032, hue + 14), dark: oklch(0.29, 0.06, hue + 1) },
})

/** Returns the style sheet that changes the accent to a hue. It is not in a cascade layer, so it replaces the values of tokens.css. */
export function accentSheet(hue: number): string {
  const { brand, hover, text, graphic, soft } = accentColors(hue)
  const pair = ({ light, dark }: Pair) => `light-dark(${toHex(light)},${toHex(dark)})`
  const colors = `--brand:${pair(brand)};--brand-hover:${pair(hover)};--brand-text:${pair(text)};--brand-graphic:${pair(graphic)};--brand-soft:${pair(soft)}`
  return `:root,.stage{${colors}}:root{--bar-ember:${toHex(brand.light)}}`
}

/** Returns the lowest contrast ratios of an accent hue across both themes: of text on buttons, of links, and of graphics such as meters. */
export function lowestContrastRatios(hue: number): { button: number; link: number; graphic: number } {
  const { brand, hover, text, graphic, soft } = accentColors(hue)
  const lowest = (ratio: (theme: Theme) => number[]) => Math.min(...ratio('light'), ...ratio('dark'))
  return {
    button: lowest((theme) => [contrast(onBrand, brand[theme]), contrast(onBrand, hover[theme])]),
    link: lowest((theme) => [contrast(text[theme], backgrounds[theme]), contrast(text[theme], soft[theme])]),
    graphic: lowest((theme) => [contrast(graphic[theme], backgrounds[theme]), contrast(graphic[theme], wells[theme])]),
  }
}

/** Returns the color that a hue could be confused with: `error` within 14 degrees of 20, `success` within 14 degrees of 150; otherwise null. */
export function similarTo(hue: number): 'error' | 'success' | null {
  const distance = (other: number) => Math.abs(((hue - other + 540) % 360) - 180)
  return distance(20) <= 14 ? 'error' : distance(150) <= 14 ? 'success' : null
}

/**
 * Returns the median contrast of the visible pixels of a picture on a background; 1 for a picture without visible pixels. `pixels` are bytes of red,
 * green, blue and alpha.
 */
export function pictureContrast(pixels: ArrayLike<number>, background: Color): number {
  const ratios: number[] = []
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    if (pixels[at + 3]! < 128) continue
    ratios.push(contrast([linear(pixels[at]!), linear(pixels[at + 1]!), linear(pixels[at + 2]!)], background))
  }
  return ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 1
}
