import { expect, test } from 'vitest'
import { ReadyBytes } from './ready.ts'

const config = { secureCookies: false }

const asked = { url: '/faq', method: 'GET', headers: {} } as never

/** What is sent for `/faq`, or undefined when it has to be made. */
function served(ready: ReadyBytes, mayBeDoubtful = false): string | undefined {
  let sent: string | undefined
  const response = { writeHead: () => response, end: (body: Buffer) => (sent = String(body)) }
  return ready.serve(asked, response as never, mayBeDoubtful) ? sent : undefined
}

test('what became doubtful is made anew, and is there as long as that does not succeed; what is known to be old is gone', async () => {
  const ready = new ReadyBytes(config)
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

test('a visitor’s page with a query that it does not read is the page without one; nothing else is', () => {
  const pages = new Map([
    ['/faq', []],
    ['/pricing', ['tier']],
  ])
  const ready = new ReadyBytes(config, { pages })
  const addressOf = (url: string, cookie?: string) => ready.addressOf({ url, headers: { cookie } } as never)
  for (const query of ['', '?', '?utm_source=mail&gclid=1', '?tier=vip', '?a=%zz', '?a=b?c']) expect(addressOf(`/faq${query}`)).toBe('/faq')
  expect(addressOf('/pricing?utm_source=mail&tiers=1', 'theme=dark')).toBe('/pricing')
  const others = [
    '/pricing?tier=vip',
    '/pricing?utm_source=mail&tier=',
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
  const ready = new ReadyBytes(config)
  ready.keep('/api/faqs', Response.json([], { headers: { 'x-of': 'list' } }), '[]', true, ready.generation)
  ready.keep('/faq', new Response(), 'page', false, ready.generation)
  const list = ready.list('/api/faqs')
  expect([list?.status, list?.headers.get('x-of'), await list?.text()]).toEqual([200, 'list', '[]'])
  expect(ready.list('/faq')).toBeUndefined()
  expect(ready.list('/api/faqs?page=2')).toBeUndefined()
  ready.doubt()
  expect(ready.list('/api/faqs')).toBeUndefined()
})
