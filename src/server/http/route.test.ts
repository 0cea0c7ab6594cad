import { Hono } from 'hono'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { post } from '#kit/endpoint.ts'
import { type AppContext, implement, mount } from './route.ts'

const order = z.object({ name: z.string(), lines: z.array(z.object({ plan: z.string() })) })
const endpoint = post('/api/orders', {
  summary: '',
  access: 'public',
  query: z.object({ page: z.optional(z.string()) }),
  body: order,
  output: order,
})

test('a handler gets what its contract names and answers no more than that, at any depth', async () => {
  let handed: unknown
  const app = new Hono()
  const handler = ({ body, query }: { body: z.output<typeof order>; query: unknown }) => {
    handed = { body, query }
    return { ...body, secret: 'canary', lines: body.lines.map((line) => ({ ...line, secret: 'canary' })) }
  }
  mount(app, [implement(endpoint, handler)], {
    config: { trustProxy: 0, publicUrl: 'https://tv.example' },
  } as unknown as AppContext)
  const named = { name: 'olive', lines: [{ plan: 'one' }] }
  const response = await app.request('/api/orders?page=2&role=admin', {
    method: 'POST',
    headers: { origin: 'https://tv.example', 'content-type': 'application/json' },
    body: JSON.stringify({ ...named, role: 'admin', lines: [{ plan: 'one', price: 0 }] }),
  })
  expect(handed).toEqual({ body: named, query: { page: '2' } })
  expect([response.status, await response.json()]).toEqual([200, named])
})
