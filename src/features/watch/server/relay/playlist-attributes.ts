const text = /^"[^"]{0,100}"$/
const number = /^\d{1,12}(\.\d{1,6})?$/
const word = /^[A-Z0-9-]{1,20}$/
/** The attributes of each tag that are passed on, each with the pattern of its values. The caller adds `URI`. */
const known: Record<string, Record<string, RegExp>> = {
  'EXT-X-STREAM-INF': {
    BANDWIDTH: number,
    'AVERAGE-BANDWIDTH': number,
    'FRAME-RATE': number,
    RESOLUTION: /^\d{1,5}x\d{1,5}$/,
    CODECS: /^"[A-Za-z0-9.,_ -]{1,100}"$/,
    'VIDEO-RANGE': word,
    AUDIO: text,
    VIDEO: text,
    SUBTITLES: text,
    'CLOSED-CAPTIONS': /^(NONE|"[^"]{0,100}")$/,
  },
  'EXT-X-MEDIA': {
    TYPE: word,
    'GROUP-ID': text,
    NAME: text,
    LANGUAGE: text,
    'ASSOC-LANGUAGE': text,
    DEFAULT: word,
    AUTOSELECT: word,
    FORCED: word,
    CHANNELS: text,
    CHARACTERISTICS: text,
    'INSTREAM-ID': text,
  },
  'EXT-X-KEY': { METHOD: word, IV: /^0[xX][0-9a-fA-F]{1,32}$/ },
  'EXT-X-MAP': { BYTERANGE: /^"\d{1,15}(@\d{1,15})?"$/ },
}

/** Parses an attribute list. Values keep their quotes. */
export function attributesOf(value: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name, attribute] of value.matchAll(/([A-Z0-9-]{1,40})=("[^"]*"|[^",]*)/g))
    if (!attributes.has(name!)) attributes.set(name!, attribute!.trim())
  return attributes
}

/** Returns the known attributes of a tag as text, in their original order. Leaves out attributes whose values look like addresses. */
export const writeAttributes = (tag: string, attributes: Map<string, string>): string =>
  [...attributes]
    .filter(([name, value]) => known[tag]?.[name]?.test(value) && !value.includes('//'))
    .map(([name, value]) => `${name}=${value}`)
    .join(',')
