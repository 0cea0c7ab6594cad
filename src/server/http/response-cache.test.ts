import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { ResponseCache } from './response-cache.ts'

const config = { secureCookies: false }

const asked = { url: '/faq', method: 'GET', headers: {} } as never

/** What is sent for `/faq`, or undefined when it has to be made. */
function served(ready: ResponseCache, mayBeDoubtful = false, request = asked): string | undefined {
  let sent: string | undefined
  const response = { writeHead: () => response, end: (body: Buffer) => (sent = String(body)) }
  return ready.serve(request, response as never, mayBeDoubtful) ? sent : undefined
}

test('what became doubtful is made anew, and is there as long as that does not succeed; what is known to be old is gone', async () => {
  const ready = new ResponseCache(config)
  ready.keep('/faq', new Response(), 'first', true, ready.generation)
  expect(served(ready)).toBe('first')

  ready.doubt()
  expect(served(ready)).toBeUndefined()
  expect(served(ready, true)).toBe('first')
  expect(await ready.doubtful('/faq')?.text()).toBe('first')
  expect(ready.doubtful('/')).toBeUndefined()

  const made = ready.generation
  ready.keep('/faq', new Response(null, { status: 503 }), 'sorry', true, made)
  expect(await ready.doubtful('/faq')?.text()).toBe('first')
  ready.keep('/faq', new Response(), 'second', true, made)
  expect(served(ready)).toBe('second')

  ready.drop()
  expect(served(ready, true)).toBeUndefined()
  expect(ready.doubtful('/faq')).toBeUndefined()
})

test('of pages with words in their query those are kept that are asked for twice, and never more than there is room for', () => {
  const ready = new ResponseCache(config, { pages: new Map([['/pricing', ['tier']]]) })
  const keep = (url: string, body = url) => ready.keep(url, new Response(), body, false, ready.generation)
  const sent = (url: string) => served(ready, false, { url, method: 'GET', headers: {} } as never)
  keep('/pricing?tier=vip')
  expect(sent('/pricing?tier=vip')).toBeUndefined()
  keep('/pricing?tier=vip')
  expect(sent('/pricing?tier=vip')).toBe('/pricing?tier=vip')

  for (let n = 0; n < 10_000; n++) keep(`/pricing?tier=${n}`)
  expect([ready.kept, sent('/pricing?tier=vip')]).toEqual([1, '/pricing?tier=vip'])
  const long = `/pricing?tier=${'x'.repeat(limits.ready.longestAddress)}`
  for (const url of [long, long]) keep(url)
  expect(sent(long)).toBeUndefined()

  keep('/pricing')
  for (let n = 0; n < 100; n++) for (const url of [`/pricing?tier=${n}`, `/pricing?tier=${n}`]) keep(url)
  expect([ready.kept, sent('/pricing?tier=vip'), sent('/pricing?tier=99'), sent('/pricing')]).toEqual([
    limits.ready.pagesWithWords + 1,
    undefined,
    '/pricing?tier=99',
    '/pricing',
  ])
  ready.drop()
  keep('/pricing?tier=99')
  expect(sent('/pricing?tier=99')).toBeUndefined()
})

test('a visitor’s page is the one without the words of its query that it does not read; nothing else is', () => {
  const pages = new Map([
    ['/faq', []],
    ['/pricing', ['tier']],
  ])
  const ready = new ResponseCache(config, { pages })
  const addressOf = (url: string, cookie?: string) => ready.addressOf({ url, headers: { cookie } } as never)
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
  expect(addressOf('/faq?a=1', 'theme=dark; sid=of-somebody')).toBe('/faq?a=1')
})

test('a list is there for pages made in process as long as it is current; a page never is', async () => {
  const ready = new ResponseCache(config)
  ready.keep('/api/faqs', Response.json([], { headers: { 'x-of': 'list' } }), '[]', true, ready.generation)
  ready.keep('/faq', new Response(), 'page', false, ready.generation)
  const list = ready.list('/api/faqs')
  expect([list?.status, list?.headers.get('x-of'), await list?.text()]).toEqual([200, 'list', '[]'])
  expect(ready.list('/faq')).toBeUndefined()
  expect(ready.list('/api/faqs?page=2')).toBeUndefined()
  ready.doubt()
  expect(ready.list('/api/faqs')).toBeUndefined()
})
