// The words are neutral on purpose: a phrase identifies the invoice of a payment and must not disguise what the payment is for.
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

/** The 210 phrases that can identify an invoice in a payment note. */
export const paymentPhrases: readonly string[] = adjectives.flatMap((look) => nouns.map((thing) => `${look} ${thing}`))
