// Draws the images for link previews and home screens into public/ from the components of the pages. They contain no brand name, so they
// fit every installation. Needs Chromium. Run it when the mascot, the channel marks or the colors change, and commit the result.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { type ComponentType, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createServer } from 'vite'
import { chromiumArguments, findChromium } from '../test/harness/chromium.ts'

const root = join(import.meta.dirname, '..')
const executablePath = findChromium()
if (!executablePath) throw new Error('No Chromium found: install it or set CHROMIUM_PATH')

const vite = await createServer({
  root,
  server: { middlewareMode: true, ws: false },
  appType: 'custom',
  logLevel: 'error',
})
const part = async (file: string, name: string) =>
  (await vite.ssrLoadModule(`/src/web/brand/${file}.tsx`))[name] as ComponentType<Record<string, unknown>>
const [Mascot, HeroWall, PeekingMascot, TestBars, TierGlyph] = await Promise.all([
  part('mascot', 'Mascot'),
  part('hero-wall', 'HeroWall'),
  part('peeking-mascot', 'PeekingMascot'),
  part('test-bars', 'TestBars'),
  part('tier-glyph', 'TierGlyph'),
])
const markup = (Part: ComponentType<Record<string, unknown>>, props: Record<string, unknown> = {}) =>
  renderToStaticMarkup(createElement(Part, props))

const style = (name: string) => readFileSync(join(root, 'src/web/styles', `${name}.css`), 'utf8')
const font = readFileSync(
  join(root, 'node_modules/@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2'),
).toString('base64')
const sheet = `
  @font-face { font-family: "Bricolage Grotesque Variable"; font-weight: 200 800; src: url(data:font/woff2;base64,${font}) format("woff2") }
  ${style('tokens')} ${style('hero')}
  * { margin: 0; box-sizing: border-box }
  svg { display: block }
  body { position: relative; overflow: hidden; background: var(--bg); color: var(--fg) }
  h1 { position: absolute; font: 800 84px / 0.93 var(--display); letter-spacing: -0.04em; color: var(--fg) }
  h1 em { font-style: normal; color: var(--brand) }
  .mark { border-radius: 12px } .mark text { font-family: var(--display); font-weight: 800; letter-spacing: -0.04em }
  .test-bars { position: absolute; inset: auto 0 0; width: 100%; height: 16px }`

type Picture = { file: string; width: number; height: number; body: string; css?: string }
const logo = (size: number) =>
  markup(Mascot, {
    tier: 2,
    eyes: 1,
    size,
    look: [-0.2, 0.1],
    mouth: false,
    lid: 0.25,
    skin: 'var(--bar-ember)',
    horn: 'var(--bar-mustard)',
  })
/** The mascot on the lower edge of a square. `share` is the fraction of the side that it fills. It is smaller where a launcher may crop the corners. */
const icon = (file: string, side: number, share: number): Picture => ({
  file,
  width: side,
  height: side,
  body: logo(Math.round(side * share)),
  css: '.mascot { position: absolute; left: 50%; bottom: 0; translate: -50% 0 }',
})
/** The icon of a brand without the mascot. */
const plainIcon = (side: number): Picture => ({
  file: `plain-${side}.png`,
  width: side,
  height: side,
  body: markup(TierGlyph, { tier: 3, size: Math.round(side * 0.7) }),
  css: 'body { display: grid; place-items: center }',
})
const family = [1, 2, 3, 4]
  .map((tier) => markup(Mascot, { tier, eyes: tier, size: [210, 230, 250, 255][tier - 1], look: [0.1, 0.05] }))
  .join('')

const pictures: Picture[] = [
  {
    file: 'og/home.png',
    width: 1200,
    height: 630,
    body: `<div class="wall">${markup(HeroWall)}</div><div class="shade"></div><h1>Unlimited<br>Entertainment<br>at Your<br><em>Fingertips</em></h1>${markup(PeekingMascot)}${markup(TestBars)}`,
    css: `
      .wall { position: absolute; inset: 0; --copy-end: 620px }
      .hero-wall { left: 600px; top: -150px; right: auto; width: 960px }
      .shade { position: absolute; inset: 0; background: linear-gradient(90deg, var(--bg) 640px, transparent 684px) }
      h1 { left: 66px; top: 152px }
      .hero-peeker { right: 44px; bottom: 16px; width: 410px }
      .test-bars { z-index: 0 } .hero-paw { z-index: 2 }`,
  },
  {
    file: 'og/pricing.png',
    width: 1200,
    height: 630,
    body: `<h1>Choose Your <em>Beast</em></h1><div class="family">${family}</div>${markup(TestBars)}`,
    css: 'h1 { inset: 118px 0 auto; text-align: center; font-size: 118px } .family { position: absolute; inset: auto 70px 16px; display: flex; justify-content: space-between; align-items: end }',
  },
  icon('icon-192.png', 192, 0.85),
  icon('icon-512.png', 512, 0.85),
  icon('icon-maskable-512.png', 512, 0.74),
  icon('apple-touch-icon.png', 180, 0.85),
  ...[180, 192, 512].map(plainIcon),
]

const browser = await chromium.launch({ executablePath, args: chromiumArguments })
for (const { file, width, height, body, css = '' } of pictures) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.setContent(
    `<!doctype html><html class="stage"><style>${sheet} body { width: ${width}px; height: ${height}px } ${css}</style><body class="stage">${body}`,
  )
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  writeFileSync(join(root, 'public', file), recompress(await page.screenshot()))
  await page.close()
}
await browser.close()
await vite.close()

/** Recompresses a PNG at the highest zlib level, because the browser optimizes for speed. */
function recompress(png: Buffer): Buffer {
  const header = png.subarray(0, 8 + 25)
  const packed: Buffer[] = []
  for (let at = header.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') packed.push(png.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  return Buffer.concat([
    header,
    chunk('IDAT', deflateSync(inflateSync(Buffer.concat(packed)), { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
