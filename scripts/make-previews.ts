// Renders the preview streams of the sample channels into public/previews: animated test cards with a quiet tone that loop every six seconds.
// Needs ffmpeg with x264 (Debian: apt-get install ffmpeg); nothing else uses it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const width = 640
const height = 360
const framesPerSecond = 25
const seconds = 6

type Color = readonly [red: number, green: number, blue: number]
const color = (hex: string): Color =>
  [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Color
// The bars of src/web/styles/tokens.css in sRGB.
const cream = color('f3e7ca')
const mustard = color('fbc837')
const lime = color('8fc54d')
const teal = color('3aa4a4')
const sky = color('67addd')
const plum = color('8f3465')
const ember = color('fc641e')
const mole = color('3e2418')
const ink = color('1d0f08')
const bars = [cream, mustard, lime, teal, sky, plum, ember, mole]

/** The color of the pixel `x`, `y` at the position `turn` (0 to 1) of the loop. It must be periodic, so that the end matches the start. */
type Picture = (x: number, y: number, turn: number) => Color

const middle = { x: width / 2, y: height * 0.45 }
const circle = 2 * Math.PI
const mix = (a: Color, b: Color, share: number): Color =>
  [0, 1, 2].map((i) => a[i]! + (b[i]! - a[i]!) * share) as unknown as Color
/** The coverage of a pixel by a shape whose edge is `distance` away (negative inside), antialiased over one pixel. */
const inside = (distance: number) => Math.min(1, Math.max(0, 0.5 - distance))
const disc = (x: number, y: number, center: { x: number; y: number }, radius: number) =>
  inside(Math.hypot(x - center.x, y - center.y) - radius)
const around = (turn: number, across: number, high: number) => ({
  x: middle.x + across * Math.cos(circle * turn),
  y: middle.y + high * Math.sin(circle * turn),
})

const pictures: Record<string, { tone: [number, number]; draw: Picture }> = {
  // Upright bars and an eye that looks all the way around.
  bars: {
    tone: [220, 330],
    draw: (x, y, turn) => {
      const at = (x / width) * bars.length
      const ground = mix(
        bars[Math.floor(at)]!,
        bars[Math.max(0, Math.floor(at) - 1)]!,
        inside((at % 1) * (width / bars.length)),
      )
      const eye = mix(mix(ground, ink, disc(x, y, middle, 112)), cream, disc(x, y, middle, 98))
      const pupil = mix(eye, ink, disc(x, y, around(turn, 42, 34), 46))
      return mix(pupil, cream, disc(x, y, around(turn, 58, 50), 11))
    },
  },
  // Rings that move outward.
  rings: {
    tone: [262, 392],
    draw: (x, y, turn) => {
      const run = [plum, ember, mustard, mole]
      const wide = 46
      const at = Math.hypot(x - middle.x, y - middle.y) / wide - turn * run.length + 1000
      const here = run[Math.floor(at) % run.length]!
      const before = run[(Math.floor(at) + run.length - 1) % run.length]!
      return mix(here, before, inside((at % 1) * wide))
    },
  },
  // Waves: four horizontal bands of color.
  waves: {
    tone: [196, 294],
    draw: (x, y, turn) => {
      const swell = [lime, teal, mole]
      return swell.reduce(
        (under, band, index) => {
          const crest =
            105 +
            index * 82 +
            24 * Math.sin(circle * (x / (320 + index * 64) + turn * (index % 2 ? -2 : 1) + index / 3))
          return mix(under, band, inside((crest - y) * 0.9))
        },
        mix(sky, mustard, disc(x, y, { x: width * 0.72, y: 88 }, 52)),
      )
    },
  },
  // Three moons around a sun, over a grid of dots.
  orbit: {
    tone: [294, 440],
    draw: (x, y, turn) => {
      const dots = disc(x % 40, y % 40, { x: 20, y: 20 }, 2.2)
      const sun = mix(mix(mole, plum, dots), ember, disc(x, y, middle, 54))
      const near = mix(sun, cream, disc(x, y, around(turn * 2, 104, 72), 17))
      const far = mix(near, lime, disc(x, y, around(turn + 0.4, 176, 104), 24))
      return mix(far, sky, disc(x, y, around(0.75 - turn, 252, 130), 30))
    },
  },
}

/** Adds a strip with the eight colors and a marker that crosses it once per loop, which shows that the stream is running. */
function withStrip(draw: Picture): Picture {
  const top = height - 28
  return (x, y, turn) => {
    if (y < top) return draw(x, y, turn)
    const bar = bars[Math.floor((x / width) * bars.length)]!
    return Math.abs(x - turn * width) < 5 ? ink : y < top + 3 ? ink : bar
  }
}

function frame(draw: Picture, turn: number): Buffer {
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3
      for (const [channel, value] of draw(x + 0.5, y + 0.5, turn).entries()) pixels[at + channel] = value
    }
  }
  return pixels
}

async function make(name: string): Promise<void> {
  const { tone, draw } = pictures[name]!
  const folder = join(import.meta.dirname, '../public/previews', name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const sound = tone.map((hertz) => `0.06*sin(${hertz}*2*PI*t)`).join('+')
  const ffmpeg = spawn(
    'ffmpeg',
    [
      ...['-hide_banner', '-loglevel', 'error', '-y'],
      ...[
        '-f',
        'rawvideo',
        '-pix_fmt',
        'rgb24',
        '-s',
        `${width}x${height}`,
        '-r',
        `${framesPerSecond}`,
        '-i',
        'pipe:0',
      ],
      ...['-f', 'lavfi', '-i', `aevalsrc=${sound}:s=48000:d=${seconds}`],
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
      // Main profile and basic settings, for every browser that plays HLS.
      ...[
        '-c:v',
        'libx264',
        '-profile:v',
        'main',
        '-preset',
        'veryslow',
        '-crf',
        '27',
        '-bf',
        '0',
        '-g',
        `${framesPerSecond * 2}`,
        '-sc_threshold',
        '0',
      ],
      ...['-c:a', 'aac', '-b:a', '32k', '-ac', '1'],
      ...['-map_metadata', '-1', '-fflags', '+bitexact', '-flags', '+bitexact'],
      ...['-f', 'hls', '-hls_time', '2', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'],
      ...['-hls_segment_filename', '%d.m4s', 'index.m3u8'],
    ],
    { cwd: folder, stdio: ['pipe', 'inherit', 'inherit'] },
  )
  const ended = once(ffmpeg, 'exit')
  const picture = withStrip(draw)
  for (let index = 0; index < framesPerSecond * seconds; index++) {
    if (!ffmpeg.stdin.write(frame(picture, index / (framesPerSecond * seconds))))
      await Promise.race([once(ffmpeg.stdin, 'drain'), ended])
  }
  ffmpeg.stdin.end()
  const [status] = await ended
  if (status !== 0) throw new Error(`ffmpeg could not make ${name}`)
}

for (const name of Object.keys(pictures)) await make(name)
