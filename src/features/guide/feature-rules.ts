/** The bit of each program feature in the stored number. */
export const featureBits = {
  live: 1,
  hd: 2,
  uhd: 4,
  subtitles: 8,
  signLanguage: 16,
  stereo: 32,
  surround: 64,
  bilingual: 128,
} as const
type Feature = keyof typeof featureBits

const names: Record<Feature, string> = {
  live: 'Live',
  uhd: '4K',
  hd: 'HD',
  subtitles: 'Subtitles',
  signLanguage: 'Sign language',
  stereo: 'Stereo',
  surround: 'Surround sound',
  bilingual: 'Two languages',
}

/** Returns the features and the rating of a program in words, in display order. */
export function featureTexts(features: number, rating: string): string[] {
  const has = (feature: Feature) => (features & featureBits[feature]) !== 0
  const [live, ...others] = (Object.keys(names) as Feature[]).map((feature) => (has(feature) ? names[feature] : ''))
  return [live!, rating, ...others].filter((text) => text !== '')
}
