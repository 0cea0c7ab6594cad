import type { BrandSettings } from './contract.ts'

// Every page needs these, so they are in a file without the texts of `rules.ts`.

/** The hue of the default style sheet, in degrees. */
export const defaultHue = 41

/** Returns the path of the style sheet for an accent hue; undefined for the hue of the default style sheet. */
export const accentPath = (hue: number): string | undefined =>
  hue === defaultHue ? undefined : `/accent/v1-${hue}.css`

/** The brand until an administrator publishes another one. Separate from the other defaults, because public pages need only this one. */
export const defaultBrand: BrandSettings = {
  name: 'SauceTV',
  mascot: true,
  hue: defaultHue,
  headline: 'Unlimited Entertainment at Your Fingertips',
  tagline: "Streaming shouldn't be rocket science",
  plans: ['Little Beast', 'Beast', 'Big Beast', 'The Beast'],
  mascots: [1, 2, 3, 4],
  logo: null,
  icon: null,
}
