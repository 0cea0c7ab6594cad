// Renders the video tutorial of the setup guide into public/tutorial: the four steps on a Firestick as cards, with a poster. The captions in
// public/tutorial/firestick.vtt are written by hand and follow the times below. Needs Chromium and ffmpeg with x264 (Debian:
// apt-get install chromium ffmpeg).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { chromiumArguments, findChromium } from '../test/harness/chromium.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'public/tutorial')
const size = { width: 960, height: 540 }
const framesPerSecond = 5

type Scene = { seconds: number; step: string; title: string; text: string; screen: (at: number) => string }
/** The progress (0 to 1) of an animation that runs between these positions of a scene. */
const grown = (at: number, from: number, to: number) => Math.min(1, Math.max(0, (at - from) / (to - from)))
const typed = (text: string, share: number) => text.slice(0, Math.round(text.length * share))
const field = (label: string, value: string, isHere: boolean) =>
  `<p class="label">${label}</p><p class="field ${isHere ? 'here' : ''}">${value}<i></i></p>`
const button = (label: string, isHere: boolean) => `<span class="button ${isHere ? 'here' : ''}">${label}</span>`
const row = (label: string, isHere: boolean) => `<p class="row ${isHere ? 'here' : ''}">${label}</p>`

const scenes: Scene[] = [
  {
    seconds: 4,
    step: '',
    title: 'Set up your Firestick',
    text: 'Four steps, about five minutes.',
    screen: () => `<div class="mascot">${readFileSync(join(root, 'public/favicon.svg'), 'utf8')}</div>`,
  },
  {
    seconds: 8,
    step: '1',
    title: 'Install the app',
    text: 'Open Downloader and enter the code from the setup guide.',
    screen: (at) =>
      `<h2>Downloader</h2>${field('Code', typed('•••••', grown(at, 0.15, 0.55)), at < 0.65)}<div class="buttons">${button('Go', at >= 0.65 && at < 0.8)}${button('Install', at >= 0.8)}</div>`,
  },
  {
    seconds: 7,
    step: '2',
    title: 'Select the provider',
    text: 'Start the app and choose the name the guide gives you.',
    screen: (at) =>
      `<h2>Providers</h2>${row('First provider', at < 0.3)}${row('Second provider', at >= 0.3 && at < 0.55)}${row('Your provider', at >= 0.55)}${at > 0.75 ? '<p class="done">✓ Selected</p>' : ''}`,
  },
  {
    seconds: 9,
    step: '3',
    title: 'Enter your credentials',
    text: 'IPTV username and password, exactly as shown in My Account.',
    screen: (at) =>
      `<h2>Sign in</h2>${field('Username', typed('demo-user', grown(at, 0.1, 0.4)), at < 0.5)}${field('Password', typed('•••••••••', grown(at, 0.5, 0.85)), at >= 0.5)}`,
  },
  {
    seconds: 7,
    step: '4',
    title: 'Click Next, then Done',
    text: 'The first time it loads for a minute or two.',
    screen: (at) =>
      `<h2>${at < 0.25 ? 'Almost there' : at < 0.55 ? 'Loading channels' : 'All set'}</h2><div class="bar"><b style="width:${Math.round(100 * grown(at, 0.25, 0.55))}%"></b></div><div class="buttons">${button('Next', at < 0.25)}${button('Done', at >= 0.55)}</div>`,
  },
  {
    seconds: 4,
    step: '',
    title: 'Enjoy!',
    text: 'Stuck? Support walks you through it.',
    screen: () => '<div class="wall"><b></b><b></b><b></b><b></b><b></b><b></b></div>',
  },
]

const font = (name: string) =>
  readFileSync(join(root, `node_modules/@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`)).toString(
    'base64',
  )
// The colors of src/web/styles/tokens.css in sRGB.
const style = `
@font-face{font-family:Display;src:url(data:font/woff2;base64,${font('bricolage-grotesque')});font-weight:200 800}
@font-face{font-family:Body;src:url(data:font/woff2;base64,${font('instrument-sans')});font-weight:400 700}
*{box-sizing:border-box;margin:0}
body{width:960px;height:540px;display:grid;grid-template-columns:400px 1fr;gap:40px;align-items:center;padding:0 48px 12px;background:#1d0f08;color:#f3e7ca;font:22px/1.4 Body;overflow:hidden}
body::after{content:"";position:absolute;inset:auto 0 0;height:12px;background:linear-gradient(90deg,#f3e7ca 12.5%,#fbc837 0 25%,#8fc54d 0 37.5%,#3aa4a4 0 50%,#67addd 0 62.5%,#8f3465 0 75%,#fc641e 0 87.5%,#3e2418 0)}
.step{display:grid;place-items:center;width:64px;height:64px;margin-bottom:24px;border-radius:20px;background:#fc641e;color:#1d0f08;font:800 36px/1 Display}
h1{font:800 46px/1.02 Display;letter-spacing:-.03em;margin-bottom:16px}
.tv{height:360px;padding:34px 40px;border:10px solid #3e2418;border-radius:24px;background:#2a1710}
h2{font:800 26px/1.1 Display;margin-bottom:20px}
.label{font-size:17px;margin-bottom:6px;color:#d8c7a8}
.field,.row{height:50px;padding:0 16px;margin-bottom:16px;border:2px solid #6b4a38;border-radius:12px;line-height:46px}
.row{margin-bottom:12px}.field i{display:inline-block;width:2px;height:24px;margin-left:3px;vertical-align:-4px}
.field.here i{background:#fbc837}
.here{border-color:#fbc837!important;background:#3e2418;box-shadow:0 0 0 3px #fbc83755}
.buttons{display:flex;gap:14px;margin-top:26px}
.button{padding:10px 30px;border:2px solid #6b4a38;border-radius:12px;font-weight:600}.button.here{background:#fbc837;color:#1d0f08}
.done{color:#8fc54d;font-weight:600}
.bar{height:14px;border-radius:9px;background:#3e2418;overflow:hidden}.bar b{display:block;height:100%;background:#8fc54d}
.mascot{height:100%;display:grid;place-items:center}.mascot svg{width:220px;height:220px}
.wall{height:100%;display:grid;grid-template-columns:repeat(3,1fr);gap:14px}.wall b{border-radius:12px;background:#fbc837}.wall b:nth-child(2){background:#3aa4a4}.wall b:nth-child(3){background:#8f3465}.wall b:nth-child(4){background:#67addd}.wall b:nth-child(5){background:#fc641e}.wall b:nth-child(6){background:#8fc54d}`
const card = ({ step, title, text, screen }: Scene, at: number) =>
  `<div>${step && `<p class="step">${step}</p>`}<h1>${title}</h1><p>${text}</p></div><div class="tv">${screen(at)}</div>`

mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
const page = await browser.newPage({ viewport: size })
await page.setContent(`<style>${style}</style><body></body>`)
const draw = async (scene: Scene, at: number): Promise<Buffer> => {
  await page.evaluate(
    `document.body.innerHTML = ${JSON.stringify(card(scene, at))}; document.fonts.ready.then(() => undefined)`,
  )
  return page.screenshot()
}

await draw(scenes[0]!, 0)
writeFileSync(join(folder, 'firestick.png'), await draw(scenes[0]!, 0))
const ffmpeg = spawn(
  'ffmpeg',
  [
    ...[
      '-hide_banner',
      '-loglevel',
      'error',
      '-y',
      '-f',
      'image2pipe',
      '-c:v',
      'png',
      '-r',
      `${framesPerSecond}`,
      '-i',
      'pipe:0',
    ],
    ...[
      '-vf',
      'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p',
      '-colorspace',
      'bt709',
      '-color_primaries',
      'bt709',
      '-color_trc',
      'bt709',
    ],
    ...[
      '-c:v',
      'libx264',
      '-profile:v',
      'main',
      '-preset',
      'veryslow',
      '-tune',
      'stillimage',
      '-crf',
      '27',
      '-g',
      `${framesPerSecond * 5}`,
    ],
    // The index first, so that playback starts while the file loads.
    ...[
      '-movflags',
      '+faststart',
      '-map_metadata',
      '-1',
      '-fflags',
      '+bitexact',
      '-flags',
      '+bitexact',
      'firestick.mp4',
    ],
  ],
  { cwd: folder, stdio: ['pipe', 'inherit', 'inherit'] },
)
const ended = once(ffmpeg, 'exit')
for (const scene of scenes) {
  const frames = scene.seconds * framesPerSecond
  for (let index = 0; index < frames; index++) ffmpeg.stdin.write(await draw(scene, index / frames))
}
ffmpeg.stdin.end()
await browser.close()
const [status] = await ended
if (status !== 0) throw new Error('ffmpeg could not make the tutorial')
