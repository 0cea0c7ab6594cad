import { expect, test } from 'vitest'
import { containsSecret } from './find-credentials.ts'

const secrets = ['viewer77', 'pw/ä&+%41 x']
const [, password] = secrets as [string, string]
const times = (n: number, text: string): string => (n === 0 ? text : times(n - 1, encodeURIComponent(text)))

test.each([
  ['a part of a path', 'https://edge.example/live/viewer77/x/1.ts'],
  ['a query', 'https://edge.example/1.ts?u=viewer77'],
  ['a host name', 'https://viewer77.edge.example/'],
  ['capitals', 'https://edge.example/VIEWER77'],
  ...[1, 2, 3].map((n) => [`URL encoding, ${n} times`, `https://edge.example/${times(n, password)}`]),
  [
    'a query with a plus sign for a space',
    `https://edge.example/?p=${encodeURIComponent(password).replaceAll('%20', '+')}`,
  ],
  ['letters that are encoded without need', 'https://edge.example/%76%69ewer77'],
  ['Base64', `https://edge.example/?t=${Buffer.from(`viewer77:${password}`).toString('base64')}`],
  ['URL-safe Base64', `https://edge.example/${Buffer.from(password).toString('base64url')}/1.ts`],
  ['Base64 after a hyphen', `https://edge.example/token-${Buffer.from('viewer77').toString('base64url')}.ts`],
  ['hexadecimal', `https://edge.example/?t=${Buffer.from('viewer77').toString('hex')}`],
])('a secret is found in %s', (_, text) => {
  expect(containsSecret(text, secrets)).toBe(true)
})

test('an address with a token contains no secret', () => {
  expect(containsSecret('https://edge.example/auth/5f2b9a6c1d7e4830/1.ts?e=1795886788&viewer=7', secrets)).toBe(false)
})
