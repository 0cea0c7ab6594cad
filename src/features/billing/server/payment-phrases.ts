// Plain and neutral on purpose: a phrase helps people match a payment to its invoice, it never hides what is paid for.
const adjectives = [
  'amber',
  'silver',
  'golden',
  'crimson',
  'indigo',
  'quiet',
  'bright',
  'gentle',
  'early',
  'distant',
  'northern',
  'velvet',
  'copper',
  'sunny',
]
const nouns = [
  'otter',
  'maple',
  'harbor',
  'lantern',
  'meadow',
  'falcon',
  'river',
  'compass',
  'pebble',
  'orchard',
  'comet',
  'willow',
  'canyon',
  'beacon',
  'tulip',
]

/** The 210 phrases a payment note may name an invoice by. */
export const paymentPhrases: readonly string[] = adjectives.flatMap((look) => nouns.map((thing) => `${look} ${thing}`))
