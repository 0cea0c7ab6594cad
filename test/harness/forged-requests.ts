/** The headers by which a browser declares the origin of a request; null omits a header. */
export type ForgedHeaders = { origin: string | null; 'sec-fetch-site': string | null; 'content-type': string }

const ours = 'http://localhost:3000'
const foreign = [
  'null',
  '',
  'https://evil.example',
  'http://evil.example',
  `${ours}.evil.example`,
  'http://localhost:3000@evil.example',
  'http://evil.localhost:3000',
  'http://localhost:3001',
  'http://localhost',
  'http://127.0.0.1:3000',
  `${ours}/`,
  `${ours}, https://evil.example`,
  `https://evil.example, ${ours}`,
  'localhost:3000',
  'file://',
  'chrome-extension://abcdefghijklmnop',
]
const sites = [null, 'cross-site', 'same-site', 'none', 'same-origin']
/** A content type that needs a CORS preflight, and one that does not. */
const types = ['application/json', 'text/plain']

const pairs = [
  ...foreign.flatMap((origin) => sites.map((site) => [origin, site] as const)),
  ...sites.filter((site) => site !== 'same-origin').map((site) => [null, site] as const),
  ...['cross-site', 'same-site', 'none', '', 'same-origin, cross-site'].map((site) => [ours, site] as const),
]

/** Every kind of write request that a foreign page can make a browser send. */
export const forgedHeaders: ForgedHeaders[] = pairs.flatMap(([origin, site]) =>
  types.map((type) => ({ origin, 'sec-fetch-site': site, 'content-type': type })),
)
