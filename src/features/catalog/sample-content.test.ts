import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedSample } from '#server/db/seed.ts'
import { auditLog, channels, faqs, plans, watchlist } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createInvoice } from '../../../test/harness/factories.ts'
import {
  createFaq,
  getSampleContent,
  removeSampleContent,
  type SampleCounts,
  sampleKinds,
  updateFaq,
} from './admin-contract.ts'
import { listChannels } from './contract.ts'
import { wasSampleRemoved } from './server/service/sample-content.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  await seedSample(app.db)
})
afterAll(() => app.close())

const readCounts = () => admin.client.call(getSampleContent, {})
const expected = (counts: SampleCounts) =>
  Object.fromEntries(sampleKinds.map((kind) => [kind, counts[kind].removable])) as Record<
    (typeof sampleKinds)[number],
    number
  >
const remove = (body: ReturnType<typeof expected>) => admin.client.call(removeSampleContent, { body })

test('removes only sample entries that were never edited and are not in use, in one audited step', async () => {
  const fresh = await readCounts()
  expect(fresh.plans).toEqual({ removable: 20, kept: 0 })
  expect(fresh.channels.removable).toBeGreaterThan(150)

  const { user } = await app.signIn()
  const [sold] = await app.db.select().from(plans).limit(1)
  await createInvoice(app.db, { userId: user.id, planId: sold!.id })
  const [onWatchlist, mapped] = await app.db.select().from(channels).limit(2)
  await app.db.insert(watchlist).values({ userId: user.id, channelId: onWatchlist!.id })
  await app.db.update(channels).set({ panelStream: '77' }).where(eq(channels.id, mapped!.id))
  const [edited, retyped] = await app.db.select().from(faqs).orderBy(faqs.id).limit(2)
  await admin.client.call(updateFaq, {
    params: { faqId: edited!.id },
    body: { question: edited!.question, answer: 'Our own answer.', hidden: false, version: 1 },
  })
  await app.db.delete(faqs).where(eq(faqs.id, retyped!.id))
  await admin.client.call(createFaq, { body: { question: retyped!.question, answer: retyped!.answer, hidden: false } })
  await admin.client.call(createFaq, { body: { question: 'Is this one ours?', answer: 'It is.', hidden: false } })

  await expect(remove(expected(fresh))).rejects.toMatchObject({ status: 409, code: 'stale' })
  const counts = await readCounts()
  expect(counts).toMatchObject({
    plans: { removable: 19, kept: 1 },
    channels: { removable: fresh.channels.removable - 2, kept: 2 },
    faqs: { removable: fresh.faqs.removable - 2, kept: 2 },
  })
  expect(await wasSampleRemoved(app.db)).toBe(false)
  const left = await remove(expected(counts))
  expect(left).toEqual(Object.fromEntries(sampleKinds.map((kind) => [kind, { removable: 0, kept: counts[kind].kept }])))
  expect((await app.db.select().from(plans)).map(({ id }) => id)).toEqual([sold!.id])
  expect((await app.client().call(listChannels, {})).map(({ id }) => id).toSorted()).toEqual(
    [onWatchlist!.id, mapped!.id].toSorted(),
  )
  expect((await app.db.select().from(faqs)).map(({ question }) => question).toSorted()).toEqual(
    [edited!.question, retyped!.question, 'Is this one ours?'].toSorted(),
  )
  const notes = await app.db.select().from(auditLog).where(eq(auditLog.action, 'catalog.remove_sample'))
  expect(notes).toMatchObject([{ actorId: admin.user.id, after: { removed: expected(counts) } }])
})

test('a later start does not load the sample again', async () => {
  expect(await wasSampleRemoved(app.db)).toBe(true)
})
