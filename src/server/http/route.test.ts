import { Hono } from 'hono'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { post } from '#kit/endpoint.ts'
import { type AppContext, implement, mount } from './route.ts'

const order = z.object({ name: z.string(), items: z.array(z.object({ plan: z.string() })) })
const endpoint = post('/api/orders', {
  summary: '',
  access: 'public',
  query: z.object({ page: z.optional(z.string()) }),
  body: order,
  output: order,
})

test('a handler gets only the input fields of its contract, and responses contain only the output fields, at any depth', async () => {
  let received: unknown
  const app = new Hono()
  const handler = ({ body, query }: { body: z.output<typeof order>; query: unknown }) => {
    received = { body, query }
    return { ...body, secret: 'canary', items: body.items.map((item) => ({ ...item, secret: 'canary' })) }
  }
  mount(app, [implement(endpoint, handler)], {
    config: { trustProxy: 0, publicUrl: 'https://tv.example' },
  } as unknown as AppContext)
  const named = { name: 'olive', items: [{ plan: 'one' }] }
  const response = await app.request('/api/orders?page=2&role=admin', {
    method: 'POST',
    headers: { origin: 'https://tv.example', 'content-type': 'application/json' },
    body: JSON.stringify({ ...named, role: 'admin', items: [{ plan: 'one', price: 0 }] }),
  })
  expect(received).toEqual({ body: named, query: { page: '2' } })
  expect([response.status, await response.json()]).toEqual([200, named])
})
