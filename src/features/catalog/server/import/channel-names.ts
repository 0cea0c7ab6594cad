// Prefixes for a country, a language or a bundle. Other two-letter prefixes are removed only if they are region codes.
const bundles = new Set(
  'USA GBR CAN AUS GER DEU FRA ITA ESP POR NED NLD BEL SWE NOR DEN DNK FIN POL ROM ROU TUR GRE IND PAK ALB BRA MEX ARA ARB LAT LATAM LATINO EN EX-YU EXYU AFR VIP PPV 4K UHD FHD HD SD HEVC RAW'.split(
    ' ',
  ),
)
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const isPrefix = (code: string): boolean =>
  code
    .split(/[/|&+ -]/)
    .every((part) => bundles.has(part) || (/^[A-Z]{2}$/.test(part) && regions.of(part) !== undefined)) ||
  bundles.has(code)

const code = '([A-Z0-9]{2,6}(?:[/|&+ -][A-Z0-9]{2,6})?)'
const bars = '|│┃▎▌❘¦'
const emoji = '\\p{Extended_Pictographic}\\u{1f1e6}-\\u{1f1ff}\\u2500-\\u27bf'
/** "US: ", "UK | ", "[US] ", "|FR| ", "DE - ", "US ★ " */
const prefixes = [
  new RegExp(`^[[({${bars}]\\s*${code}\\s*[\\])}${bars}]\\s*[:-]?\\s*(?=\\S)`, 'u'),
  new RegExp(`^${code}\\s*[:•»${bars}${emoji}]+\\s*(?=\\S)`, 'u'),
  new RegExp(`^${code}\\s+[-–—]\\s+(?=\\S)`, 'u'),
]

// Superscripts and small capitals for the quality (ᴴᴰ, ᵁᴴᴰ, ⁴ᴷ, ʜᴅ).
const marks =
  /[\u00b2\u00b3\u00b9\u02b0-\u02b8\u02e0-\u02e4\u1d00-\u1d7f\u1d80-\u1dbf\u2070-\u209f\u029c\u0280\u0274\u029f\u0262\u026a\ua730\ua731\u200b\u2060]+|[\ufe0e\ufe0f]+/gu
const emojis = new RegExp(`[${emoji}]+`, 'gu')
const leadingEmojis = new RegExp(`^[${emoji}\\s]+`, 'u')
const decoration = '#*=~_|•·▬━─═►◄★☆●◉«»-'
const outer = new RegExp(`^[\\s${decoration}]+|[\\s${decoration}]+$`, 'gu')
const separators = [
  /^[^\p{L}\p{N}]*$/u,
  new RegExp(`^\\s*([${decoration}])\\1{2,}`, 'u'),
  new RegExp(`^\\s*[<>${decoration}]{2,}.*[<>${decoration}]{2,}\\s*$`, 'u'),
]

/** Whether an entry of a panel's list is a separator ("##### KIDS #####") and not a channel. An empty name is not a separator. */
export const isSeparator = (name: string): boolean =>
  name !== '' && separators.some((pattern) => pattern.test(name.trim()))

/**
 * Returns a channel's name without the panel's additions: country and bundle prefixes ("US: ABC News Live"), quality in superscript letters ("TNT
 * Sports 1 ᴴᴰ"), emoji and decoration. Returns the name unchanged if nothing would be left.
 */
export function cleanName(raw: string): string {
  let name = raw.replace(marks, ' ').trim().replace(leadingEmojis, '')
  for (let round = 0; round < 3; round++) {
    const found = prefixes.map((pattern) => pattern.exec(name)).find((match) => match && isPrefix(match[1]!))
    if (!found) break
    name = name.slice(found[0].length)
  }
  name = name.replace(emojis, ' ').replace(outer, '').replaceAll(/\s+/g, ' ').trim()
  return /[\p{L}\p{N}]/u.test(name) ? name.normalize('NFC') : raw
}
