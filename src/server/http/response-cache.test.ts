import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { ResponseCache } from './response-cache.ts'

const config = { secureCookies: false }

const faqRequest = { url: '/faq', method: 'GET', headers: {} } as never

/** Returns the cached body of `/faq`, or undefined on a cache miss. */
function served(cache: ResponseCache, allowStale = false, request = faqRequest): string | undefined {
  let sent: string | undefined
  const response = { writeHead: () => response, end: (body: Buffer) => (sent = String(body)) }
  return cache.serve(request, response as never, allowStale) ? sent : undefined
}

test('a stale entry is regenerated and served until that succeeds, and clear removes all entries', async () => {
  const cache = new ResponseCache(config)
  cache.store('/faq', new Response(), 'first', true, cache.generation)
  expect(served(cache)).toBe('first')

  cache.markStale()
  expect(served(cache)).toBeUndefined()
  expect(served(cache, true)).toBe('first')
  expect(await cache.staleResponse('/faq')?.text()).toBe('first')
  expect(cache.staleResponse('/')).toBeUndefined()

  const made = cache.generation
  cache.store('/faq', new Response(null, { status: 503 }), 'sorry', true, made)
  expect(await cache.staleResponse('/faq')?.text()).toBe('first')
  cache.store('/faq', new Response(), 'second', true, made)
  expect(served(cache)).toBe('second')

  cache.clear()
  expect(served(cache, true)).toBeUndefined()
  expect(cache.staleResponse('/faq')).toBeUndefined()
})

test('pages with query parameters are cached at the second request, up to the limit', () => {
  const cache = new ResponseCache(config, { pages: new Map([['/pricing', ['tier']]]) })
  const keep = (url: string, body = url) => cache.store(url, new Response(), body, false, cache.generation)
  const sent = (url: string) => served(cache, false, { url, method: 'GET', headers: {} } as never)
  keep('/pricing?tier=vip')
  expect(sent('/pricing?tier=vip')).toBeUndefined()
  keep('/pricing?tier=vip')
  expect(sent('/pricing?tier=vip')).toBe('/pricing?tier=vip')

  for (let n = 0; n < 10_000; n++) keep(`/pricing?tier=${n}`)
  expect([cache.size, sent('/pricing?tier=vip')]).toEqual([1, '/pricing?tier=vip'])
  const long = `/pricing?tier=${'x'.repeat(limits.responseCache.maxAddressLength)}`
  for (const url of [long, long]) keep(url)
  expect(sent(long)).toBeUndefined()

  keep('/pricing')
  for (let n = 0; n < 100; n++) for (const url of [`/pricing?tier=${n}`, `/pricing?tier=${n}`]) keep(url)
  expect([cache.size, sent('/pricing?tier=vip'), sent('/pricing?tier=99'), sent('/pricing')]).toEqual([
    limits.responseCache.pagesWithQuery + 1,
    undefined,
    '/pricing?tier=99',
    '/pricing',
  ])
  cache.clear()
  keep('/pricing?tier=99')
  expect(sent('/pricing?tier=99')).toBeUndefined()
})

test('the cache key of a visitor’s page omits query parameters that the page does not read', () => {
  const pages = new Map([
    ['/faq', []],
    ['/pricing', ['tier']],
  ])
  const cache = new ResponseCache(config, { pages })
  const addressOf = (url: string, cookie?: string) => cache.addressOf({ url, headers: { cookie } } as never)
  for (const query of ['', '?', '?utm_source=mail&gclid=1', '?tier=vip', '?a=%zz', '?a=b?c'])
    expect(addressOf(`/faq${query}`)).toBe('/faq')
  expect(addressOf('/pricing?utm_source=mail&tiers=1', 'theme=dark')).toBe('/pricing')
  expect(addressOf('/pricing?utm_source=mail&tier=a%26b&gclid=1&tier=c')).toBe('/pricing?tier=a%26b&tier=c')
  const others = [
    '/pricing?tier=vip',
    '/pricing?tier=',
    '/pricing?%74ier=vip',
    '/pricing?tier',
    '/faq/?a=1',
    '//faq?a=1',
    '/api/faqs?page=2',
    '/auth?a=1',
  ]
  for (const url of others) expect(addressOf(url)).toBe(url)
  expect(addressOf('/faq?a=1', 'theme=dark; sid=token')).toBe('/faq?a=1')
})

test('a list is available to pages rendered in the process while it is fresh; a page is not', async () => {
  const cache = new ResponseCache(config)
  cache.store('/api/faqs', Response.json([], { headers: { 'x-of': 'list' } }), '[]', true, cache.generation)
  cache.store('/faq', new Response(), 'page', false, cache.generation)
  const list = cache.freshList('/api/faqs')
  expect([list?.status, list?.headers.get('x-of'), await list?.text()]).toEqual([200, 'list', '[]'])
  expect(cache.freshList('/faq')).toBeUndefined()
  expect(cache.freshList('/api/faqs?page=2')).toBeUndefined()
  cache.markStale()
  expect(cache.freshList('/api/faqs')).toBeUndefined()
})
