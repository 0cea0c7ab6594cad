import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addPaymentMetrics } from '#features/receipts/server/payment-metrics.ts'
import { watchStreams } from '#features/watch/server/watch-metrics.ts'
import { addWebhookMetrics } from '#features/webhooks/server/webhook-metrics.ts'
import { readConfig, settingNames } from '#server/config.ts'
import { Metrics } from '#server/observability/metrics.ts'
import { serverFlags } from '../../scripts/boot/node.js'
import { localCertificate } from '../harness/certificate.ts'
import { temporaryFolder } from '../harness/folders.ts'
import { resolverFlags } from '../harness/run-cli.ts'
import { silentLog } from '../harness/silent-log.ts'
import { tcpServer } from '../harness/tcp-server.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const path = [process.env.PATH, '/usr/sbin', '/usr/bin'].join(delimiter)
const isInstalled = (program: string) =>
  spawnSync('sh', ['-c', `command -v ${program}`], { env: { PATH: path } }).status === 0
function run(program: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, {
    env: { PATH: path, HOME: temporaryFolder() },
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}
/** Copies an example file to a new folder and replaces the texts that an operator would change. */
function changed(file: string, changes: Record<string, string>): string {
  const copy = join(temporaryFolder(), file.replace('@', '@3000').split('/').at(-1)!)
  let text = read(file)
  for (const [from, to] of Object.entries(changes)) {
    expect(text, file).toContain(from)
    text = text.replaceAll(from, to)
  }
  writeFileSync(copy, text)
  return copy
}

// Each test runs only if its program is installed.
describe('each example configuration passes the check of its program', () => {
  test.runIf(isInstalled('nginx'))('nginx', () => {
    const folder = temporaryFolder()
    const { key, cert } = localCertificate()
    writeFileSync(join(folder, 'key.pem'), key)
    writeFileSync(join(folder, 'cert.pem'), cert)
    const site = changed('deploy/nginx.conf', {
      // `nginx -t` opens the listening sockets: some ports are privileged, and some addresses are missing on some machines.
      'listen 80;': `listen unix:${folder}/plain.sock;`,
      'listen 443 ssl http2;': `listen unix:${folder}/tls.sock ssl http2;`,
      'listen [::]:80;': '',
      'listen [::]:443 ssl http2;': '',
      '/etc/letsencrypt/live/tv.example/fullchain.pem': join(folder, 'cert.pem'),
      '/etc/letsencrypt/live/tv.example/privkey.pem': join(folder, 'key.pem'),
      '/var/log/nginx/access.log': join(folder, 'access.log'),
    })
    writeFileSync(
      join(folder, 'nginx.conf'),
      `pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; include ${site}; }`,
    )
    const { status, output } = run('nginx', '-t', '-c', join(folder, 'nginx.conf'))
    expect(status, output).toBe(0)
  })

  test.runIf(isInstalled('caddy'))('Caddy', () => {
    const { status, output } = run(
      'caddy',
      'validate',
      '--config',
      join(root, 'deploy/Caddyfile'),
      '--adapter',
      'caddyfile',
    )
    expect(status, output).toBe(0)
  })

  test.runIf(isInstalled('systemd-analyze'))('systemd', () => {
    const here = { '/opt/sauce/node_modules/.bin/node': process.execPath }
    const units = [
      changed('deploy/sauce@.service', here),
      changed('deploy/sauce-backup.service', here),
      changed('deploy/sauce-reconcile.service', here),
    ]
    units.push(join(root, 'deploy/sauce-backup.timer'), join(root, 'deploy/sauce-reconcile.timer'))
    // The output also mentions other units of this machine.
    const { output } = run('systemd-analyze', 'verify', ...units)
    expect(
      output
        .split('\n')
        .filter((line) => /sauce/.test(line) && !/sauce-(backup|reconcile).service.*not found/i.test(line)),
    ).toEqual([])
  })

  test.runIf(isInstalled('promtool'))('Prometheus', () => {
    const { status, output } = run('promtool', 'check', 'config', join(root, 'deploy/prometheus.yml'))
    expect(status, output).toBe(0)
  })
})

test('the app accepts the example settings, also with every commented-out setting enabled', () => {
  const settings = (text: string) =>
    Object.fromEntries(Array.from(text.matchAll(/^([A-Z_]+)="?(.*?)"?$/gm), ([, name, value]) => [name!, value!]))
  const example = read('deploy/sauce.env')
  expect(readConfig(settings(example))).toMatchObject({ host: '127.0.0.1', trustProxy: 1, secureCookies: true })
  const all = settings(example.replaceAll(/^#(?=[A-Z_]+=)/gm, ''))
  expect(Object.keys(all)).toEqual(expect.arrayContaining(['DATABASE_URL', 'SECRET_KEY', 'SMTP_URL', 'METRICS_TOKEN']))
  expect(readConfig({ ...all, SECRET_KEY: '' }).smtp?.from.address).toBe('tv@tv.example')
})

test('the app exports every metric named in an alert or in the operations handbook', async () => {
  const metrics = new Metrics()
  const sources = {
    pool: {
      query: async () => ({ rows: [{ waiting: 0, oldest: 0, seconds: 0 }] }),
      totalCount: 0,
      idleCount: 0,
      waitingCount: 0,
    },
    presence: { connections: new Set() },
    responseCache: { hits: {}, size: 0 },
    replica: { reads: {} },
    limiters: {},
  }
  metrics.watch(sources as never)
  const db = { execute: async () => ({ rows: [] }) } as never
  addPaymentMetrics(metrics, db)
  addWebhookMetrics(metrics, db)
  watchStreams(metrics, { db, config: readConfig({}), log: silentLog })
  const exported = new Set(Array.from((await metrics.text()).matchAll(/^# TYPE (\S+)/gm), ([, name]) => name!))
  for (const file of ['deploy/alerts.yml', 'docs/operations.md']) {
    const named = read(file).match(/\b(sauce|nodejs|process)_[a-z0-9_]+[a-z0-9]\b/g) ?? []
    expect(named.length).toBeGreaterThan(5)
    expect(
      named.map((name) => name.replace(/_bucket$/, '')).filter((name) => !exported.has(name)),
      file,
    ).toEqual([])
  }
})

test('the examples start the app with the same Node flags as `npm start`', () => {
  for (const file of ['deploy/Dockerfile', 'deploy/sauce@.service'])
    for (const flag of serverFlags) expect(read(file).match(/^.*src\/main\.ts.*$/m)?.[0], file).toContain(flag)
})

test('the handbook names every example, and every file that it or the Dockerfile names exists', () => {
  const handbook = read('docs/operations.md')
  for (const name of readdirSync(join(root, 'deploy')))
    if (!name.endsWith('.dockerignore')) expect(handbook, name).toContain(`deploy/${name}`)
  for (const [, name] of handbook.matchAll(/\bdeploy\/([\w@.-]*\w)/g))
    if (name !== '.env') expect(existsSync(join(root, 'deploy', name!)), name).toBe(true)
  for (const [, files] of read('deploy/Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm))
    for (const file of files!.split(' ')) expect(existsSync(join(root, file)), file).toBe(true)
})

test.runIf(isInstalled('psql'))(
  'the init script of the PostgreSQL container creates a role that owns its database and is not a superuser',
  async () => {
    const server = await tcpServer()
    try {
      const script = changed('deploy/postgres-init.sh', {
        'ROLE sauce ': 'ROLE tv ',
        'DATABASE sauce OWNER sauce': 'DATABASE tv OWNER tv',
      })
      const env = {
        PATH: path,
        PGHOST: '127.0.0.1',
        PGPORT: String(server.port),
        POSTGRES_USER: 'postgres',
        SAUCE_DATABASE_PASSWORD: "it's $(hard); to \\quote",
      }
      const { status, stderr } = spawnSync('sh', [script], { env, encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
      const root = await server.superuser()
      const { rows } = await root.query(
        `select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls as powerful, datname as owns from pg_roles r join pg_database d on d.datdba = r.oid where rolname = 'tv'`,
      )
      await root.end()
      expect(rows).toEqual([{ powerful: false, owns: 'tv' }])
    } finally {
      await server.stop()
    }
  },
  60_000,
)

test('the compose file passes every setting that an operator needs, under the name that the app reads', () => {
  const passed = Array.from(read('deploy/compose.yaml').matchAll(/^ {6}([A-Z_]+): /gm), ([, name]) => name!).filter(
    (name) => !/^(POSTGRES|SAUCE)_/.test(name),
  )
  expect(passed.filter((name) => !settingNames.includes(name))).toEqual([])
  expect(passed).toEqual(
    expect.arrayContaining([
      'SMTP_URL',
      'MAIL_FROM',
      'PANEL_URL',
      'METRICS_TOKEN',
      'ADMIN_EMAIL',
      'SEED',
      'SECRET_KEY_OTHER',
    ]),
  )
})

test('the database role in the compose file is not a superuser', () => {
  const [compose, init] = [read('deploy/compose.yaml'), read('deploy/postgres-init.sh')]
  const [, user] = /postgres:\/\/(\w+):/.exec(compose)!
  expect(compose).not.toMatch(/POSTGRES_(USER|DB):/)
  expect(compose).toContain('./postgres-init.sh:/docker-entrypoint-initdb.d/')
  expect(init).toMatch(new RegExp(`CREATE ROLE ${user} LOGIN NOSUPERUSER `))
  expect(init).toContain(`CREATE DATABASE ${user} OWNER ${user};`)
})

test('every command in the handbook exists', () => {
  const { output } = run(process.execPath, ...resolverFlags, join(root, 'src/cli.ts'))
  const known = Array.from(output.matchAll(/npm run cli -- (\w[\w-]*( (?=create|reset)\w+)?)/g), ([, words]) => words!)
  const commands = Array.from(
    read('docs/operations.md').matchAll(/(?:npm run cli --|src\/cli\.ts) ([a-z-]+( create| reset)?)/g),
    ([, words]) => words!,
  )
  expect(commands.length).toBeGreaterThan(4)
  expect(commands.filter((words) => !known.includes(words))).toEqual([])
})

test('the shell function in the handbook runs a command with the service settings and does not leak them into the shell', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'sauce.env'), 'DATA_DIR=/nowhere\nPORT=none\n')
  const defined = /^sauce\(\) \(\n[\s\S]*?^\)$/m.exec(read('docs/operations.md'))?.[0] ?? ''
  // Replaces only the folders and the account, which this machine does not have.
  const here = defined
    .replace('/etc/sauce/sauce.env', join(folder, 'sauce.env'))
    .replace('/opt/sauce', root)
    .replace(/setpriv (--\S+ )+/, '')
    .replace('node_modules/.bin/node', [process.execPath, ...resolverFlags].join(' '))
  const { status, output } = run(
    'sh',
    '-c',
    `${here}\nsauce jobs; code=$?; echo "settings in the shell: $DATA_DIR."; exit $code`,
  )
  expect(status, output).toBe(1)
  expect(output).toContain('PORT')
  expect(output).toContain('settings in the shell: .')
})

test('the upgrade in the handbook runs no app command as root, and switches releases only after the backup', () => {
  const upgrade = /^## Upgrade$[\s\S]*?```sh\n([\s\S]*?)```/m.exec(read('docs/operations.md'))?.[1] ?? ''
  expect(upgrade).not.toContain('npm run cli')
  expect(upgrade).toMatch(/^systemctl start sauce-backup &&\n +ln -sfn .* &&\n +systemctl restart sauce@3000$/m)
})
