import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './running-app.ts'

const root = join(import.meta.dirname, '../..')
/** Debian's nginx (package `nginx` or `nginx-light`); undefined if it is not installed. */
export const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path))

/** The configuration of deploy/nginx.conf with plain HTTP on this port, and the app on that one. `caFile`: the certificate authorities. */
function configuration(port: number, appPort: number, logFile: string, caFile: string | undefined): string {
  const file = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
  return file
    .slice(file.indexOf('upstream sauce'))
    .replace('server 127.0.0.1:3000', `server 127.0.0.1:${appPort}`)
    .replace(/server \{\s*listen 80;[\s\S]*?\n\}\n/, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace('listen [::]:443 ssl http2;', '')
    .replace('server_name tv.example;', 'server_name localhost;')
    .replaceAll(/^ {2}ssl_.*\n/gm, '')
    .replaceAll('/var/log/nginx/access.log', logFile)
    .replace('/etc/ssl/certs/ca-certificates.crt', caFile ?? '$&')
}

/**
 * Starts nginx with deploy/nginx.conf, as one process, in front of an app of this machine. Its files and logs are in `folder`. `core` pins it to a
 * processor core; it listens on any free port unless `port` names one. `ca`: certificate authorities (PEM) instead of those of the system. Throws if it does
 * not answer.
 */
export async function startNginx(
  folder: string,
  appPort: number,
  { core, port: wanted, ca }: { core?: number | undefined; port?: number; ca?: string | undefined } = {},
): Promise<{ url: string; pid: number; stop: () => void }> {
  if (!nginx) throw new Error('nginx is not installed')
  const port = wanted ?? (await freePort())
  mkdirSync(join(folder, 'logs'), { recursive: true })
  const caFile = ca && join(folder, 'ca.pem')
  if (caFile) writeFileSync(caFile, ca)
  writeFileSync(join(folder, 'site.conf'), configuration(port, appPort, `${folder}/access.log`, caFile))
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const http = `access_log ${folder}/access.log; ${folders.join(' ')} include ${folder}/site.conf;`
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log; events {} http { ${http} }`,
  )
  const pin = core === undefined ? [] : ['taskset', '-c', String(core)]
  const [command = nginx, ...args] = [...pin, nginx, '-c', join(folder, 'nginx.conf'), '-p', folder]
  const program: ChildProcess = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const stop = () => void program.kill()
  process.once('exit', stop)
  const url = `http://127.0.0.1:${port}`
  for (const until = performance.now() + 20_000; performance.now() < until; await sleep(100)) {
    const isUp = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return { url, pid: program.pid!, stop }
  }
  stop()
  throw new Error('nginx does not answer')
}
