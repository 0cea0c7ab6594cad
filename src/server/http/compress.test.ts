import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressed } from './compress.ts'

const text = '<p>A page that says the same thing again. </p>'.repeat(100)
const page = (headers: Record<string, string> = {}, body = text) =>
  new Response(body, {
    status: 404,
    headers: { 'content-type': 'text/html; charset=UTF-8', 'x-kept': 'yes', ...headers },
  })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
] as const)(
  'a page requested with Accept-Encoding: %s is sent as %s, with its status and headers',
  async (accept, encoding, unpack) => {
    const response = await compressed(page(), accept)
    expect([response.status, response.headers.get('x-kept'), response.headers.get('vary')]).toEqual([
      404,
      'yes',
      'accept-encoding, cookie',
    ])
    expect(response.headers.get('content-encoding')).toBe(encoding)
    const bytes = await bytesOf(response)
    expect(bytes.length).toBeLessThan(text.length / 4)
    expect(unpack(bytes).toString()).toBe(text)
  },
)

test('a response is sent unchanged if it is no-store, not HTML or already compressed, or if the client accepts no compression', async () => {
  const same = [
    await compressed(page({ 'cache-control': 'no-store' }), 'br'),
    await compressed(page({ 'content-type': 'application/json' }), 'br'),
    await compressed(page(), 'identity'),
    await compressed(page()),
  ]
  for (const response of same) {
    expect(response.headers.get('content-encoding')).toBeNull()
    expect((await bytesOf(response)).toString()).toBe(text)
  }
  expect((await bytesOf(await compressed(page({ 'content-encoding': 'gzip' }), 'br'))).toString()).toBe(text)
})

test('a very short page is not compressed', async () => {
  const response = await compressed(page({}, '<p>Short</p>'), 'br')
  expect(response.headers.get('content-encoding')).toBeNull()
  expect(await response.text()).toBe('<p>Short</p>')
})
