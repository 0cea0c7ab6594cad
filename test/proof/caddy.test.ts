import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../harness/folders.ts'
import { freePort } from '../harness/running-app.ts'

const file = readFileSync(join(import.meta.dirname, '../../deploy/Caddyfile'), 'utf8')
const path = [process.env.PATH, '/usr/sbin', '/usr/bin'].join(delimiter)
/** Path of Debian's Caddy (package `caddy`); empty if it is not installed. */
const program = String(spawnSync('sh', ['-c', 'command -v caddy'], { env: { PATH: path } }).stdout).trim()

const secretPaths = [
  '/live/abcdefgh/secret/1.m3u8',
  '//live/abcdefgh/secret/2.m3u8',
  '/timeshift/abcdefgh/secret/60/2026-01-01:20-00/1.ts',
  '/movie/abcdefgh/secret/1.mp4',
  '/stream/00000000-0000-0000-0000-000000000000/secret.ts',
  '/get.php?username=abcdefgh&password=secret',
  '/c/player_api.php?password=secret&username=abcdefgh',
  '/abcdefgh/secretsecretsecr/1',
  '//abcdefgh/secretsecretsecr/1',
]

test('the log filter of the Caddyfile removes credentials from URLs and keeps other URLs', () => {
  const [, pattern = '', instead = ''] = /request>uri regexp "(.+)" "(\w+)"/.exec(file)!
  const logged = (address: string) => address.replaceAll(new RegExp(pattern, 'g'), instead)
  for (const address of secretPaths) expect(logged(address)).not.toMatch(/secret|abcdefgh/)
  for (const address of ['/', '/faq', '/api/plays', '/watch/12', '/livestreams']) expect(logged(address)).toBe(address)
})

test.runIf(program)(
  'Caddy logs failed requests without credentials and passes no panel URL to the client',
  { timeout: 60_000 },
  async () => {
    const app = createServer((request, response) => {
      if (request.url === '/readyz') response.end()
      else if (request.url === '/offloaded')
        response.writeHead(200, { 'x-up-url': 'http://panel/secret', 'x-accel-redirect': '/_up' }).end('text')
      else request.socket.destroy()
    }).listen(0, '127.0.0.1')
    await vi.waitUntil(() => app.listening)
    onTestFinished(() => void app.close())
    const folder = temporaryFolder()
    const url = `http://127.0.0.1:${await freePort()}`
    writeFileSync(
      join(folder, 'Caddyfile'),
      file.replace('\tlog {', '\tadmin off\n\tlog {').replace('lb_try_duration 5s', 'lb_try_duration 100ms'),
    )
    const caddy = spawn(program, ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
      env: {
        PATH: path,
        HOME: folder,
        PUBLIC_URL: url,
        SAUCE_SERVER: `127.0.0.1:${(app.address() as AddressInfo).port}`,
      },
    })
    onTestFinished(() => void caddy.kill())
    let log = ''
    caddy.stderr.on('data', (text: Buffer) => {
      log += text.toString()
    })
    const isUp = () =>
      fetch(`${url}/offloaded`).then(
        ({ ok }) => ok,
        () => false,
      )
    for (const until = performance.now() + 20_000; !(await isUp()) && performance.now() < until; ) await sleep(200)
    const offloaded = await fetch(`${url}/offloaded`)
    expect([offloaded.status, await offloaded.text()]).toEqual([200, 'text'])
    expect(JSON.stringify([...offloaded.headers])).not.toMatch(/secret|accel|x-up/)
    for (const address of [...secretPaths, '/faq'])
      expect((await fetch(url + address, { headers: { referer: `${url}/live/abcdefgh/secret/` } })).status).toBe(502)
    await expect.poll(() => log).toContain('"uri":"/faq"')
    expect(log.match(/REDACTED/g)?.length).toBeGreaterThanOrEqual(secretPaths.length)
    expect(log).not.toMatch(/secret|abcdefgh/)
  },
)
