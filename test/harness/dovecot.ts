import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { localCertificate } from './certificate.ts'
import { createTestFolder } from './test-folder.ts'

/** An IMAP server for one test file, with one account. */
export type Dovecot = {
  host: '127.0.0.1'
  /** TLS from the first byte. */
  port: number
  /** STARTTLS; nothing else is accepted before it. */
  plainPort: number
  username: 'desk'
  password: string
  /** The certificate authority that signed the server's certificate. */
  ca: string
  /** Puts an email into the inbox. */
  deliver: (raw: Uint8Array) => void
  /** Returns the names of the files in the inbox. Each name contains the flags of an email. */
  files: () => string[]
  /** Changes UIDVALIDITY, so that every email gets a new UID. */
  renumber: () => void
  setPassword: (password: string) => void
  /** Closes all connections, as a restart of the server would. */
  disconnect: () => Promise<void>
  close: () => Promise<void>
}

/** Returns the path of the server program, or undefined if it is not installed. */
export function findDovecot(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, 'dovecot')).find((file) => existsSync(file))
}

/** The user id of the unprivileged account that every Linux system has. */
const unprivileged = 65_534
let deliveries = 0

/**
 * Starts Dovecot in a folder of its own, without root. `introspection`: the URL at which it checks access tokens; without it only passwords
 * are accepted. Throws with instructions when it is not installed.
 */
export async function startDovecot(introspection?: string): Promise<Dovecot> {
  const program = findDovecot()
  if (!program)
    throw new Error('No Dovecot was found, so the mailbox cannot be tested: install it (apt-get install dovecot-imapd)')
  const isRoot = process.getuid?.() === 0
  const folder = createTestFolder()
  const [port, plainPort] = [await freePort(), await freePort()]
  const { key, cert } = localCertificate()
  const account = isRoot ? accountOf(unprivileged, unprivileged) : accountOf(process.getuid!(), process.getgid!())
  const inbox = join(folder, 'mail/desk')
  for (const each of ['run', 'state', 'mail', 'mail/desk', 'mail/desk/new', 'mail/desk/cur', 'mail/desk/tmp'])
    mkdirSync(join(folder, each), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o644 })
  const setPassword = (password: string) => {
    dovecot.password = password
    write('users', `desk:{PLAIN}${password}::::::\n`)
  }
  write('key.pem', key)
  write('cert.pem', cert)
  write('dovecot.conf', configuration(folder, account, port, plainPort) + (introspection ? tokens(folder) : ''))
  if (introspection)
    write(
      'tokens.conf',
      `introspection_mode = post\nintrospection_url = ${introspection}\nusername_attribute = username\nactive_attribute = active\nactive_value = true\n`,
    )
  let child: ChildProcess
  const start = async () => {
    const command = [program, '-F', '-c', join(folder, 'dovecot.conf')]
    const asOther = ['setpriv', `--reuid=${account.user}`, `--regid=${account.group}`, '--clear-groups']
    const [file, ...rest] = isRoot ? [...asOther, ...command] : command
    child = spawn(file!, rest, { stdio: ['ignore', 'ignore', 'inherit'] })
    await untilListening(child, port, join(folder, 'log'))
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  const dovecot: Dovecot = {
    host: '127.0.0.1',
    port,
    plainPort,
    username: 'desk',
    password: '',
    ca: cert,
    deliver: (raw) => {
      // Emails get their UIDs in the order of these names.
      const name = `${Math.floor(Date.now() / 1000)}.M${process.pid}P${String(++deliveries).padStart(6, '0')}.test`
      writeFileSync(join(inbox, 'tmp', name), raw, { mode: 0o644 })
      if (isRoot) chownSync(join(inbox, 'tmp', name), unprivileged, unprivileged)
      renameSync(join(inbox, 'tmp', name), join(inbox, 'new', name))
    },
    files: () => ['new', 'cur'].flatMap((each) => readdirSync(join(inbox, each))),
    renumber: () => {
      // `dovecot-uidvalidity` stays: without it the new number is the time in seconds, which may equal the previous
      // number.
      for (const name of readdirSync(inbox)) if (/^dovecot[-.](?!uidvalidity)/.test(name)) rmSync(join(inbox, name))
    },
    setPassword,
    disconnect: async () => {
      await stop()
      await start()
    },
    close: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  setPassword('app-password')
  if (isRoot)
    for (const each of ['', ...(readdirSync(folder, { recursive: true }) as string[])])
      chownSync(join(folder, each), unprivileged, unprivileged)
  await start()
  return dovecot
}

const accountOf = (uid: number, gid: number): { user: string; group: string } => {
  const named = (file: string, id: number) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .find((fields) => Number(fields[2]) === id)?.[0] ?? String(id)
  return { user: named('/etc/passwd', uid), group: named('/etc/group', gid) }
}

const configuration = (
  folder: string,
  { user, group }: { user: string; group: string },
  port: number,
  plainPort: number,
): string => `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
first_valid_uid = 1
mail_location = maildir:${folder}/mail/%u
ssl = required
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
disable_plaintext_auth = yes
auth_failure_delay = 0
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = static
  args = uid=${user} gid=${group} home=${folder}/mail/%u
}
service anvil {
  chroot =
  # A failed login would delay the next ones from this address.
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${plainPort}
  }
  inet_listener imaps {
    port = ${port}
    ssl = yes
  }
}
namespace inbox {
  inbox = yes
}
`

/** The configuration for logins with an access token. */
const tokens = (folder: string): string => `
auth_mechanisms = plain xoauth2 oauthbearer
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${folder}/tokens.conf
}
`

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function untilListening(child: ChildProcess, port: number, log: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (child.exitCode !== null)
      throw new Error(`Dovecot ended: ${existsSync(log) ? readFileSync(log, 'utf8') : 'see above'}`)
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ])
      .catch(() => false)
      .finally(() => socket.destroy())
    if (isOpen) return
    await pause(25)
  }
  throw new Error('Dovecot is not listening')
}
