import { expect, test } from 'vitest'
import { ReadyBytes } from './ready.ts'

const config = { secureCookies: false }
const asked = { url: '/faq', method: 'GET', headers: {} } as never

/** What is sent for `/faq`, or undefined when it has to be made. */
function served(ready: ReadyBytes): string | undefined {
  let sent: string | undefined
  const response = { writeHead: () => response, end: (body: Buffer) => (sent = String(body)) }
  return ready.serve(asked, response as never) ? sent : undefined
}

test('what became doubtful is made anew, and is there as long as that does not succeed; what is known to be old is gone', async () => {
  const ready = new ReadyBytes(config)
  ready.keep('/faq', new Response(), 'first', true, ready.generation)
  expect(served(ready)).toBe('first')

  ready.doubt()
  expect(served(ready)).toBeUndefined()
  expect(await ready.doubtful('/faq')?.text()).toBe('first')
  expect(ready.doubtful('/')).toBeUndefined()

  const made = ready.generation
  ready.keep('/faq', new Response(null, { status: 503 }), 'sorry', true, made)
  expect(await ready.doubtful('/faq')?.text()).toBe('first')
  ready.keep('/faq', new Response(), 'second', true, made)
  expect(served(ready)).toBe('second')

  ready.drop()
  expect(served(ready)).toBeUndefined()
  expect(ready.doubtful('/faq')).toBeUndefined()
})
