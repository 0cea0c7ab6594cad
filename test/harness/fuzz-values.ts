import fc from 'fast-check'

/** Hostile values for any field of a request. */
export const hostileValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  -0,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  '',
  ' ',
  '\n\t\r',
  'x'.repeat(10_000),
  '\u0000',
  'nul\u0000inside',
  '\ud800',
  '\u202eright to left',
  '👩‍👩‍👧‍👦'.repeat(50),
  '\ufeff',
  '__proto__',
  'constructor',
  "' OR 1=1 --",
  "'; DROP TABLE users; --",
  '<script>alert(1)</script>',
  '=HYPERLINK("http://evil.example")',
  'a\r\nBcc: victim@example.org',
  '{{7*7}}',
  '../../etc/passwd',
  '%00%2e%2e%2f',
  '0',
  '-1',
  '1e400',
  'NaN',
  'Infinity',
  '0x10',
  '99999999999999999999',
  '2026-02-30',
  '0000-00-00',
  '0000-01-01',
  '-000001-01-01T00:00:00Z',
  '9999-12-31',
  '+275760-09-13T00:00:00.000Z',
  '2024-02-29T23:59:60Z',
  '1970-01-01T00:00:00+99:99',
  'javascript:alert(1)',
  'http://[::1]:22/',
  'file:///etc/passwd',
  [],
  [null],
  [[[[]]]],
  Array.from({ length: 2_000 }, () => 'x'),
  {},
  { toString: 'x', valueOf: 'y' },
  { $gt: '' },
]

/** Bodies that are invalid JSON or difficult to parse. */
export const hostileTexts: readonly string[] = [
  '',
  '{',
  '}',
  'null',
  'true',
  '0',
  '"text"',
  '[]',
  '[{}]',
  '{"a":1,}',
  "{'a':1}",
  '{"a":NaN}',
  '{"a":1e400}',
  '\ufeff{}',
  '{"__proto__":{"role":"admin"},"constructor":{"prototype":{"role":"admin"}}}',
  '{"password":"a","password":"b"}',
  '{"\\u0000":"\\u0000"}',
  '{"a":"\\ud800"}',
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  `{"a":"${'x'.repeat(2_000_000)}"}`,
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
]

type Schema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  format?: string
  minLength?: number
  minimum?: number
  minItems?: number
}

/** Returns an example value for a JSON Schema. It is valid as far as the schema alone determines. */
export function validExample(schema: Schema): unknown {
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const choice = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.[0]
  if (choice) return validExample(choice)
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [name, validExample(property)]),
      )
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, () => validExample(schema.items ?? {}))
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return plausibleText(schema)
  }
}

const texts: Record<string, string> = {
  email: 'fuzz@example.org',
  date: '2026-11-22',
  'date-time': '2026-11-22T12:00:00.000Z',
  uri: 'https://example.org/',
}
const plausibleText = ({ format = '', minLength = 1 }: Schema): string =>
  texts[format] ?? 'abcdefgh'.repeat(Math.ceil(Math.max(minLength, 1) / 8))

/** A valid body with one to three fields changed, removed or added. */
export const mutated = (valid: unknown): fc.Arbitrary<unknown> =>
  fc
    .array(
      fc.record({
        place: fc.nat(),
        value: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...hostileValues) }, fc.jsonValue()),
        how: fc.nat({ max: 9 }),
      }),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((changes) => changes.reduce((body, change) => mutate(structuredClone(body), change), valid))

type Change = { place: number; value: unknown; how: number }

function mutate(body: unknown, { place, value, how }: Change): unknown {
  const places: [Record<string, unknown>, string][] = []
  const walk = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, child] of Object.entries(node)) {
      places.push([node as Record<string, unknown>, key])
      walk(child)
    }
  }
  walk(body)
  if (places.length === 0) return how < 5 ? value : body
  const [holder, key] = places[place % places.length]!
  if (how === 0) delete holder[key]
  else if (how === 1) holder[`${key}x`] = value
  else holder[key] = value
  return body
}
