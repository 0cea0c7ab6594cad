import { and, desc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uploadImage } from '#features/images/admin-contract.ts'
import { jobs as imageJobs } from '#features/images/server/jobs.ts'
import { auditLog, images } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { pngFile } from '../../../test/harness/pictures.ts'
import { listAllSetupGuides, moveSetupGuide, updateSetupGuide } from './admin-guides-contract.ts'
import { listSetupGuides } from './contract.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
})
afterAll(() => app.close())

const all = () => admin.client.call(listAllSetupGuides, {})
const guideOf = async (device: string) => (await all()).find((each) => each.device === device)!
const shown = async () => (await app.client().call(listSetupGuides, {})).map(({ device }) => device)
type Guide = Awaited<ReturnType<typeof guideOf>>
const save = ({ id, device, ...body }: Guide) => admin.client.call(updateSetupGuide, { params: { guideId: id }, body })

test('an invalid or outdated change is refused and changes nothing', async () => {
  const guide = await guideOf('lg')
  const [step] = guide.steps
  const refused: [Partial<Guide>, string][] = [
    [{ steps: [] }, 'steps'],
    [{ steps: Array.from({ length: 13 }, () => step!) }, 'steps'],
    [{ steps: [{ ...step!, title: ' ' }] }, 'steps.0.title'],
    [{ steps: [{ ...step!, text: '' }] }, 'steps.0.text'],
    [{ steps: [{ ...step!, picture: 'https://elsewhere.example/a.png' }] }, 'steps.0.picture'],
    [{ steps: [{ ...step!, picture: 'constructor' }] }, 'steps.0.picture'],
    [{ steps: [{ ...step!, picture: `/images/${'0'.repeat(64)}.webp` }] }, 'steps.0.picture'],
    [{ steps: [{ ...step!, below: 'script' as never }] }, 'steps.0.below'],
    [{ appUrl: 'javascript:alert(1)' }, 'appUrl'],
    [{ code: '1'.repeat(41) }, 'code'],
    [{ tab: 'elsewhere' as never }, 'tab'],
  ]
  for (const [change, path] of refused)
    await expect(save({ ...guide, ...change }), path).rejects.toMatchObject({ status: 400, issues: [{ path }] })
  await expect(save({ ...guide, version: guide.version + 1 })).rejects.toMatchObject({ status: 409, code: 'stale' })
  await expect(
    admin.client.call(updateSetupGuide, { params: { guideId: 99 }, body: { ...guide } }),
  ).rejects.toMatchObject({ status: 404 })
  expect(await guideOf('lg')).toEqual(guide)
})

test('only the guide for the Firestick is offered at first, with its four steps', async () => {
  const guides = await app.client().call(listSetupGuides, {})
  expect(guides.map(({ device }) => device)).toEqual(['firestick'])
  expect(guides[0]!.steps).toHaveLength(4)
  expect((await all()).map(({ device }) => device)).toEqual([
    'firestick',
    'android-tv',
    'android-phone',
    'apple',
    'samsung',
    'lg',
    'web',
  ])
})

test('a guide that is shown is public immediately, and the change is audited', async () => {
  await shown()
  const guide = await guideOf('samsung')
  await save({ ...guide, hidden: false, app: 'Kiwi Player', tab: 'android' })
  const [offered] = (await app.client().call(listSetupGuides, {})).filter(({ device }) => device === 'samsung')
  expect(offered).toMatchObject({ tab: 'android', app: 'Kiwi Player', steps: guide.steps })
  expect(offered).not.toHaveProperty('version')
  const [entry] = await app.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.targetType, 'setup_guide'), eq(auditLog.targetId, String(guide.id))))
    .orderBy(desc(auditLog.id))
    .limit(1)
  expect(entry).toMatchObject({
    action: 'setup_guide.update',
    actorId: admin.user.id,
    before: { hidden: true, app: '', tab: 'other' },
    after: { hidden: false, app: 'Kiwi Player', tab: 'android' },
  })
})

test('a move changes the order of the public guides', async () => {
  for (const device of ['samsung', 'lg']) await save({ ...(await guideOf(device)), hidden: false })
  expect(await shown()).toEqual(['firestick', 'samsung', 'lg'])
  const { id } = await guideOf('lg')
  await admin.client.call(moveSetupGuide, { params: { guideId: id }, body: { move: 'up' } })
  expect(await shown()).toEqual(['firestick', 'lg', 'samsung'])
})

test('an uploaded picture stays while a step shows it, and is removed afterwards', async () => {
  const { path } = await admin.client.call(uploadImage, {
    query: { use: 'guide' },
    body: new Uint8Array(await pngFile({ width: 2_000, height: 500, color: '#c0ffee' })),
  })
  const guide = await guideOf('apple')
  const saved = await save({ ...guide, steps: [{ ...guide.steps[0]!, picture: path }] })
  const removeUnused = async () => {
    await app.db.update(images).set({ storedAt: sql`now() - interval '2 days'` })
    await imageJobs(app.db)[0]!.run()
  }
  await removeUnused()
  expect((await app.client().request(path)).status).toBe(200)
  await save({ ...saved, steps: guide.steps })
  await removeUnused()
  expect((await app.client().request(path)).status).toBe(404)
})
