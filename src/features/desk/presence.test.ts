import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { listPresent, reportPresence } from './admin-presence-contract.ts'

let app: TestApp
let june: SignedIn
let theo: SignedIn
beforeAll(async () => {
  app = await buildApp()
  june = await app.signInAdmin({ username: 'june' })
  theo = await app.signInAdmin({ username: 'theo' })
})
afterAll(() => app.close())

const report = (who: SignedIn, item: string | null, path = '/admin/overview') =>
  who.client.call(reportPresence, { body: { path, item } })
const seenBy = (who: SignedIn) => who.client.call(listPresent, {})
/** Moves the last report of all administrators, or of their items, into the past. */
const age = (column: 'seen_at' | 'item_seen_at', seconds: number) =>
  app.db.execute(sql`update desk_presence set ${sql.identifier(column)} = now() - make_interval(secs => ${seconds})`)

test('only administrators can report what they have open, and only pages of the admin area and valid items', async () => {
  const send = (who: Pick<SignedIn, 'client'>, body: object) =>
    who.client.request('/api/admin/desk/present', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const customer = await app.signIn()
  expect((await send(customer, { path: '/admin', item: null })).status).toBe(403)
  for (const body of [{ path: '/pricing', item: null }, { path: '/admin', item: 'invoice' }, { item: null }])
    expect((await send(june, body)).status, JSON.stringify(body)).toBe(400)
  expect(await seenBy(theo)).toEqual([])
})

test('other administrators see the page and the item that one has open; a closed item is no longer shown after one minute', async () => {
  await report(june, 'invoice:12')
  const { id } = june.user
  expect(await seenBy(theo)).toEqual([{ id, username: 'june', path: '/admin/overview', item: 'invoice:12' }])
  expect(await seenBy(june)).toEqual([])

  await report(june, null, '/admin/payments')
  expect(await seenBy(theo)).toMatchObject([{ path: '/admin/payments', item: 'invoice:12' }])
  await report(june, 'received:3')
  expect(await seenBy(theo)).toMatchObject([{ item: 'received:3' }])
  await report(june, null)
  await age('item_seen_at', 61)
  expect(await seenBy(theo)).toMatchObject([{ username: 'june', item: null }])
  await age('seen_at', 61)
  expect(await seenBy(theo)).toEqual([])
})
