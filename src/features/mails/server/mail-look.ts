import { accentColors, toHex } from '#features/brand/rules.ts'
import type { BrandSettings } from '#features/settings/contract.ts'
import { logoContainsName } from '#kit/logo.ts'
import type { MailBody } from '#kit/mail-body.ts'
import type { PreviewedBrand } from '../admin-contract.ts'

type MailLogo = Pick<NonNullable<BrandSettings['logo']>, 'document' | 'width' | 'height'>
/** The parts of the brand that emails show. */
export type MailLook = Pick<BrandSettings, 'name' | 'hue'> & { logo: MailLogo | null }

/** Returns the brand to show in a preview; undefined for the public brand. */
export const previewedLook = ({ name, hue, logo, width, height }: PreviewedBrand): MailLook | undefined =>
  name && hue !== undefined
    ? { name, hue, logo: logo && width && height ? { document: logo, width, height } : null }
    : undefined

/** Returns the logo for emails, at most 36 pixels high and 200 wide. */
export function mailLogo(logo: MailLogo | null, origin: string): MailBody['brand']['logo'] {
  if (!logo) return null
  const scale = Math.min(36 / logo.height, 200 / logo.width, 1)
  return {
    url: origin + logo.document,
    width: Math.max(1, Math.round(logo.width * scale)),
    height: Math.max(1, Math.round(logo.height * scale)),
    containsName: logoContainsName(logo),
  }
}

/** Returns the accent colors for emails, which support neither CSS variables nor oklch. */
export function mailAccent(hue: number): MailBody['brand']['accent'] {
  const { brand, text } = accentColors(hue)
  return { button: toHex(brand.light), link: toHex(text.light), darkLink: toHex(text.dark) }
}
