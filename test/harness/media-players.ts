// Players that open links for TV apps: ffprobe and ffmpeg, and VLC without a window.
import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, existsSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { createTestFolder } from './test-folder.ts'

const programOf = (name: string) => [`/usr/bin/${name}`, `/usr/local/bin/${name}`].find((path) => existsSync(path))
/** Debian's package `ffmpeg`; undefined if it is not installed. */
export const [ffprobe, ffmpeg] = [programOf('ffprobe'), programOf('ffmpeg')]
/** Debian's packages `vlc-bin` and `vlc-plugin-base`; undefined if they are not installed. */
export const vlc = programOf('vlc')

/** The output of a player, and its exit code or the signal that ended it. */
type Ended = { code: number | string; out: string; errors: string }
type Running = { child: ChildProcess; ended: Promise<Ended> }

function start(
  program: string | undefined,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Running {
  if (!program) throw new Error('This player is not installed')
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], ...options })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = { code: 0 as number | string, out: '', errors: '' }
  child.stdout!.on('data', (chunk) => {
    ended.out += String(chunk)
  })
  child.stderr!.on('data', (chunk) => {
    ended.errors += String(chunk)
  })
  // Writing to a player that has ended fails. That is expected.
  child.stdin!.on('error', () => undefined)
  return {
    child,
    ended: new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve({ ...ended, code: code ?? String(signal) }))
    }),
  }
}

export type Probed = { format: string; video: string; audio: string; error: string }
/** Returns what ffprobe finds at a URL: the container format, the codec and size of the picture, and the codec of the sound, or an error. */
export async function probe(address: string): Promise<Probed> {
  const { out, errors } = await start(ffprobe, [
    ...['-v', 'error', '-print_format', 'json', '-show_format', '-show_streams', address],
  ]).ended
  type Stream = { codec_type: string; codec_name: string; width?: number; height?: number }
  const { format, streams = [] } = JSON.parse(out || '{}') as { format?: { format_name: string }; streams?: Stream[] }
  const of = (type: string) => streams.find(({ codec_type }) => codec_type === type)
  const [video, audio] = [of('video'), of('audio')]
  return {
    format: format?.format_name ?? '',
    video: video ? `${video.codec_name} ${video.width} x ${video.height}` : '',
    audio: audio?.codec_name ?? '',
    error: errors.trim(),
  }
}

/** Decodes the stream at a URL with ffmpeg until `seconds` have been played or the stream ends. `frames()` returns the number of pictures decoded so far. */
export function decode(address: string, seconds: number) {
  const { child, ended } = start(ffmpeg, [
    ...['-v', 'error', '-nostdin', '-progress', 'pipe:1', '-i', address],
    ...['-t', String(seconds), '-f', 'null', '-'],
  ])
  let progress = ''
  child.stdout!.on('data', (chunk) => {
    progress += String(chunk)
  })
  const frames = () => Number(/.*frame=\s*(\d+)/s.exec(progress)?.[1] ?? 0)
  return {
    frames,
    ended: ended.then(({ code, errors }) => ({ code, errors, frames: frames() })),
  }
}

export type Shown = { pictures: number; sounds: number; titles: string[]; output: string }
/** The user id under which VLC runs, because it refuses to run as root. */
const unprivileged = 65_534

/**
 * Plays a URL in VLC without a window, until it has shown `pictures` pictures or `maxMs` have passed. Returns the number of pictures and audio blocks that it
 * played, and the titles of its playlist.
 */
export async function showInVlc(
  address: string,
  { pictures, maxMs }: { pictures: number; maxMs: number },
): Promise<Shown> {
  const home = createTestFolder()
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(home, unprivileged, unprivileged)
  const asOther = ['setpriv', `--reuid=${unprivileged}`, `--regid=${unprivileged}`, '--clear-groups']
  const options = ['-I', 'oldrc', '--rc-fake-tty', '--no-video-title-show', '--vout', 'dummy', '--aout', 'dummy', '-v']
  const [program, ...args] = [...(isRoot ? asOther : []), vlc ?? '', ...options, address]
  const env = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, LANG: 'C.UTF-8' }
  const { child, ended } = start(program, args, { cwd: home, env })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk) => {
      output += String(chunk)
    })
  const last = (name: string) => Number(new RegExp(`.*${name}\\s*:\\s*(\\d+)`, 's').exec(output)?.[1] ?? 0)
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  for (const until = performance.now() + maxMs; performance.now() < until && !isOver(); ) {
    child.stdin!.write('stats\n')
    await sleep(500)
    if (last('frames displayed') >= pictures) break
  }
  child.stdin!.write('playlist\n')
  await sleep(300)
  child.stdin!.write('quit\n')
  const kill = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await ended
  clearTimeout(kill)
  rmSync(home, { recursive: true, force: true })
  const titles = [...output.matchAll(/^\| {2,}\*?- (.+?)(?: \(\d\d:.*)?$/gm)].map(([, title]) => title!)
  return { pictures: last('frames displayed'), sounds: last('audio decoded'), titles, output }
}
