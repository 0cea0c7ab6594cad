import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, images } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import {
  animatedWebp,
  asAnimated,
  bombPng,
  emptyPng,
  jpegFile,
  pngFile,
  webpFile,
} from '../../../test/harness/pictures.ts'
import { createChannel, updateChannel } from '../catalog/admin-contract.ts'
import { uploadImage } from './admin-contract.ts'
import { imageFiles } from './rules.ts'
import { inDecodeQueue } from './server/decode-queue.ts'
import { jobs } from './server/jobs.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
})
afterAll(() => app.close())

const upload = (file: Buffer) =>
  admin.client.call(uploadImage, { query: { use: 'channel' }, body: new Uint8Array(file) })
/** Sends the bytes as they are, with this content type. */
const send = async (file: Buffer | ReadableStream, type: string | null = 'image/png') => {
  const cookie = [...admin.client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await app.app.request('/api/admin/images?use=channel', {
    method: 'POST',
    headers: { cookie, origin: app.context.config.publicUrl, ...(type && { 'content-type': type }) },
    body: file as never,
    duplex: 'half',
  } as RequestInit)
  return { status: response.status, ...((await response.json()) as { code?: string; message?: string; path?: string }) }
}
const read = (path: string) => app.client().request(path)
const stored = async () => app.db.$count(images)

describe('a file is refused with the reason when it', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>alert(1)</script></svg>'
  const refused: [string, () => Buffer | Promise<Buffer>, number, string][] = [
    ['is empty', () => Buffer.alloc(0), 400, 'empty'],
    ['is larger than the limit', () => Buffer.alloc(limits.upload.bytes + 1), 413, 'too_large'],
    ['is text', () => Buffer.from('<!doctype html><title>no</title>'), 400, 'not_an_image'],
    ['is random', () => randomBytes(4_096), 400, 'not_an_image'],
    ['is a ZIP archive', () => Buffer.concat([Buffer.from('PK\x03\x04'), deflateRawSync('x')]), 400, 'not_an_image'],
    ['is an SVG document', () => Buffer.from(svg), 415, 'unsupported_type'],
    [
      'is an SVG document with a prologue',
      () => Buffer.from(`\ufeff<?xml version="1.0"?>${svg}`),
      415,
      'unsupported_type',
    ],
    ['is a GIF', () => sharp(emptyGif).gif().toBuffer(), 415, 'unsupported_type'],
    ['is an AVIF image', () => sharp(emptyGif).avif().toBuffer(), 415, 'unsupported_type'],
    ['is a PDF document', () => Buffer.from('%PDF-1.7\n'), 415, 'unsupported_type'],
    ['has more pixels than the limit', () => emptyPng(limits.upload.pixels + 1, 8), 400, 'too_many_pixels'],
    ['claims a size of four billion pixels', () => emptyPng(65_535, 65_535), 400, 'too_many_pixels'],
    ['has no pixels', () => emptyPng(0, 64), 400, 'not_an_image'],
    ['claims pixels that are missing', () => emptyPng(64, 64), 400, 'damaged'],
    ['is a truncated PNG', async () => half(await noise()), 400, 'damaged'],
    [
      'is a truncated JPEG',
      async () =>
        half(
          await sharp(await noise())
            .jpeg()
            .toBuffer(),
        ),
      400,
      'damaged',
    ],
    [
      'is a truncated WebP',
      async () =>
        half(
          await sharp(await noise())
            .webp()
            .toBuffer(),
        ),
      400,
      'damaged',
    ],
    ['has a changed byte in its pixels', async () => changed(await noise()), 400, 'damaged'],
    ['is an animated WebP', animatedWebp, 400, 'animated'],
    ['is an animated PNG', async () => asAnimated(await pngFile()), 400, 'animated'],
  ]
  test.each(refused)('%s', async (_what, file, status, code) => {
    const before = await stored()
    const bytes = await file()
    expect(await send(bytes)).toMatchObject({ status, code, message: expect.stringMatching(/^[A-Z].*\.?$/) })
    expect(await stored()).toBe(before)
  })

  test.each([['application/json'], ['text/plain'], ['multipart/form-data; boundary=x'], ['']])(
    'has the content type "%s"',
    async (type) => {
      expect(await send(await pngFile(), type)).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    },
  )

  test('never ends and has no Content-Length', async () => {
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536))
      },
    })
    expect(await send(endless as never)).toMatchObject({ status: 413, code: 'too_large' })
    expect(sent).toBeLessThan(limits.upload.bytes + 262_144)
  })

  test('exceeds the limit that the browser checks, with the same message', async () => {
    expect(imageFiles.maxBytes).toBe(limits.upload.bytes)
    expect(await send(Buffer.alloc(limits.upload.bytes + 1))).toMatchObject({ message: imageFiles.tooLarge })
  })
})

test('a small file that unpacks to the largest allowed size is shrunk without taking much memory', async () => {
  const bomb = bombPng(4_096, 4_096)
  expect(bomb.length).toBeLessThan(100_000)
  const before = process.memoryUsage().rss
  const image = await upload(bomb)
  expect(image).toMatchObject({ width: 248, height: 248 })
  // The bitmap alone would take 64 MiB.
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
})

test('an image is encoded again, without metadata and without data after its pixels', async () => {
  const script = Buffer.from('<script>alert("canary")</script>PK\x03\x04')
  for (const file of [await jpegFile(), await pngFile(), await webpFile()]) {
    const image = await upload(Buffer.concat([file, script]))
    const response = await read(image.path)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.toString('latin1')).not.toMatch(/canary|CanaryCamera|GPS|script/i)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 64, height: 32 })
  }
})

test('an image is served as immutable under the hash of its bytes, without cookies, from the response cache', async () => {
  const { path } = await upload(await pngFile({ width: 800, height: 100, color: '#123456' }))
  expect(path).toMatch(/^\/images\/[0-9a-f]{64}\.webp$/)
  const response = await read(path)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  })
  expect(response.headers.get('set-cookie')).toBeNull()
  expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width).toBe(400)
  const cached = app.responseCache.freshList(path)
  expect(cached?.headers.get('content-type')).toBe('image/webp')
  const [entry] = await app.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.action, 'image.upload'))
    .orderBy(sql`id desc`)
    .limit(1)
  expect(entry).toMatchObject({ actorId: admin.user.id, after: { use: 'channel', path } })
})

test('the path of an image that is not stored gets 404', async () => {
  const { path } = await upload(await pngFile())
  for (const wrong of [
    path.replace('.webp', '.png'),
    path.replace('.webp', ''),
    `/images/${'0'.repeat(64)}.webp`,
    '/images/x',
  ])
    expect((await read(wrong)).status, wrong).toBe(404)
})

test('the memory of images in the response cache is limited', async () => {
  const { imageBytes } = limits.responseCache
  const [first, second] = [await upload(await noise()), await upload(await noise())]
  await read(first.path)
  expect(app.responseCache.freshList(first.path)).toBeDefined()
  limits.responseCache.imageBytes = 100
  await read(second.path)
  limits.responseCache.imageBytes = imageBytes
  expect(app.responseCache.freshList(first.path)).toBeUndefined()
})

test('at most one image is decoded at a time, a few wait, and others get 503', async () => {
  let running = 0
  let most = 0
  const waiting: (() => void)[] = []
  const work = async () => {
    most = Math.max(most, ++running)
    await new Promise<void>((resolve) => waiting.push(resolve))
    running--
  }
  const all = Array.from({ length: limits.upload.atOnce + limits.upload.queue + 1 }, () => inDecodeQueue(work))
  const outcome = Promise.allSettled(all)
  while (waiting.length > 0 || running > 0) {
    waiting.shift()?.()
    await new Promise(setImmediate)
  }
  const failed = (await outcome).filter(({ status }) => status === 'rejected')
  expect([most, failed.length]).toEqual([limits.upload.atOnce, 1])
  expect((failed[0] as PromiseRejectedResult).reason).toMatchObject({ status: 503, code: 'busy' })
})

test('a channel shows an uploaded logo; one that is no longer stored is refused', async () => {
  const { path: logo } = await upload(await pngFile({ color: '#00ff00' }))
  const fields = { name: 'Uploaded', category: 'news', previewUrl: '', featured: false, hidden: false } as const
  const channel = await admin.client.call(createChannel, { body: { ...fields, logo } })
  expect(channel.logo).toBe(logo)
  const gone = admin.client.call(updateChannel, {
    params: { channelId: channel.id },
    body: { ...fields, logo: `/images/${'0'.repeat(64)}.webp`, version: channel.version },
  })
  await expect(gone).rejects.toMatchObject({ status: 400, issues: [{ path: 'logo' }] })
  const removed = await admin.client.call(updateChannel, {
    params: { channelId: channel.id },
    body: { ...fields, logo: '', version: channel.version },
  })
  expect(removed.logo).toBe('mark:Uploaded')
})

test('an image that is not used is removed after a day; one that a channel shows is kept', async () => {
  const [used, unused, fresh] = [
    await upload(await pngFile({ color: '#010203' })),
    await upload(await pngFile({ color: '#040506' })),
    await upload(await pngFile({ color: '#070809' })),
  ]
  const fields = { name: 'Kept', category: 'kids', previewUrl: '', featured: false, hidden: false } as const
  await admin.client.call(createChannel, { body: { ...fields, logo: used.path } })
  const hashOf = ({ path }: { path: string }) => path.slice('/images/'.length, -'.webp'.length)
  await app.db.execute(sql`update images set stored_at = now() - interval '25 hours' where hash <> ${hashOf(fresh)}`)
  await jobs(app.db)[0]!.run()
  const left = (await app.db.select({ hash: images.hash }).from(images)).map(({ hash }) => hash)
  expect(left).toEqual(expect.arrayContaining([hashOf(used), hashOf(fresh)]))
  expect(left).not.toContain(hashOf(unused))
})

const emptyGif = { create: { width: 8, height: 8, channels: 3, background: '#fff' } } as const
const noise = () =>
  sharp(randomBytes(96 * 96 * 3), { raw: { width: 96, height: 96, channels: 3 } })
    .png()
    .toBuffer()
const half = (file: Buffer) => file.subarray(0, file.length / 2)
function changed(file: Buffer): Buffer {
  const copy = Buffer.from(file)
  copy[copy.length >> 1] = copy[copy.length >> 1]! ^ 0xff
  return copy
}
