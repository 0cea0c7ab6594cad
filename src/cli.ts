import { join, resolve } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { createAdmin } from '#features/accounts/server/service/create-admin.ts'
import { resetAccess } from '#features/accounts/server/service/reset-access.ts'
import { goLive, readInstallation } from '#features/installation/server/service.ts'
import { resetTwoFactor } from '#features/two-factor/server/service/turn-off.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { writeBackup } from '#server/backup/write-backup.ts'
import { type Config, readConfig, settingWarnings } from '#server/config.ts'
import { type OpenDatabase, openDatabase } from '#server/db/open.ts'
import { seedSample } from '#server/db/seed.ts'
import { logOptions } from '#server/observability/log.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { rotateKey } from '#server/secrets/rotate-key.ts'
import { Passwords } from '#server/session/password.ts'
import { checkInvariants } from './all-invariants.ts'
import { everyJob } from './every-job.ts'

type Command = {
  usage: string
  what: string
  /** How many words follow the command. */
  words?: number
  options?: NonNullable<ParseArgsConfig['options']>
  run: (database: OpenDatabase, given: Given, config: Config) => Promise<void>
  /** On the database as it is, whatever release it is of. */
  asItIs?: true
}
/** What follows a command: only the options it declares, and exactly as many words as it takes. */
type Given = { words: string[]; on: (option: string) => boolean; text: (option: string) => string | undefined }
const migrations = join(import.meta.dirname, '../migrations')

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** The operator's hand, by the words that begin it. It works on a database that is in use as well as on one at rest. */
const commands: Record<string, Command> = {
  'admin create': {
    usage: 'admin create USERNAME EMAIL',
    what: 'a further administrator; the password is shown once',
    words: 2,
    run: async ({ db }, { words: [username = '', email = ''] }) => {
      const { password } = await createAdmin({ db, passwords: new Passwords() }, { username, email })
      say(`Administrator ${username} was created. Password, to be changed at the first login:\n${password}`)
    },
  },
  'user reset': {
    usage: 'user reset USERNAME_OR_EMAIL [--two-step]',
    what: 'a new password, shown once; sessions end. --two-step: a lost device no longer stands in the way',
    words: 1,
    options: { 'two-step': { type: 'boolean' } },
    run: async ({ db }, { words: [name = ''], on }) => {
      const { id, username, password, removed } = await resetAccess({ db, passwords: new Passwords() }, name)
      if (on('two-step'))
        await resetTwoFactor(db, id, null, `cli:${process.pid}`).then(({ message }) => say(message), complain)
      if (removed.passkeys.length > 0) say(`Passkeys that were removed: ${removed.passkeys.join(', ')}`)
      say(`Password of ${username}, to be changed at the next login:\n${password}`)
    },
  },
  reconcile: {
    usage: 'reconcile',
    what: 'asks for every promise, and names what holds it in the database; ends with 1 when one is broken',
    run: askTheBooks,
  },
  jobs: { usage: 'jobs', what: 'what ran lately, and what is due in the next 30 days', run: showJobs },
  backup: {
    usage: 'backup [--to FILE]',
    what: 'everything in the database into one file, while the app runs; the secret key is not in it',
    asItIs: true,
    options: { to: { type: 'string' } },
    run: async ({ pool }, { text }, config) => {
      const file = resolve(
        text('to') ??
          join(config.dataDir, 'backups', `${new Date().toISOString().replaceAll(':', '').slice(0, 17)}Z.sauce.gz`),
      )
      const { tables, keys, bytes } = await writeBackup({ pool, key: secretKey(config), file })
      say(`${file}: ${rowsIn(tables)}, ${bytes} bytes, read back and whole.`)
      if (keys.length > 0)
        say(
          `Its secrets open with the key ${keys.join(' and ')}, which is not in the file: keep secret.key or SECRET_KEY in another safe place.`,
        )
    },
  },
  restore: {
    usage: 'restore FILE [--replace] [--without-key] [--unverified]',
    what: 'a backup into an empty database, with --replace into any; all or nothing, and every app has to be stopped',
    asItIs: true,
    words: 1,
    options: { replace: { type: 'boolean' }, 'without-key': { type: 'boolean' }, unverified: { type: 'boolean' } },
    run: async (database, { words: [file = ''], on }, config) => {
      const { takenAt, tables, migrated, authentic } = await restoreBackup({
        pool: database.pool,
        config,
        file: resolve(file),
        migrations,
        replace: on('replace'),
        withoutKey: on('without-key'),
        unverified: on('unverified'),
      })
      if (!authentic)
        warn(
          'Warning: nothing proved that this file is unchanged since it was written. Check administrators, payment handles and panel settings.',
        )
      say(
        `Restored as of ${takenAt}: ${rowsIn(tables)}${migrated.length > 0 ? `, and brought up to date with ${migrated.join(', ')}` : ''}.`,
      )
      await askTheBooks(database)
      say(
        '\nThis installation calls no panel and sends no mail until it is declared the live one: under /admin, or with `npm run cli -- go-live`.',
      )
    },
  },
  'go-live': {
    usage: 'go-live',
    what: 'declares this the live installation, after a restore, a move or a new address: calls to the panel and mails begin',
    run: async ({ db }, _given, config) => {
      const { held } = await readInstallation({ db, config })
      if (held === null) return say('This is the live installation already.')
      await goLive({ db, config }, { actorId: null, requestId: `cli:${process.pid}` })
      say('This is the live installation now. Calls to the panel and mails begin within a minute where the app runs.')
    },
  },
  'rotate-key': {
    usage: 'rotate-key [--patience SECONDS] [--leave-lost]',
    what: 'seals every stored secret under a new key, while the app runs',
    options: { patience: { type: 'string' }, 'leave-lost': { type: 'boolean' } },
    run: async ({ db }, { text, on }, config) => {
      const patience = text('patience')
      if (patience !== undefined && !/^\d{1,4}$/.test(patience)) throw new Error('--patience takes seconds')
      await rotateKey({
        db,
        config,
        say,
        ...(patience && { patienceSeconds: Number(patience) }),
        leaveLost: on('leave-lost'),
      })
    },
  },
  seed: {
    usage: 'seed',
    what: 'the sample catalogue, into an empty one',
    run: async ({ db }) => {
      await seedSample(db)
      say('The sample catalogue is there, unless there was one already.')
    },
  },
}

const rowsIn = (tables: Record<string, { rows: number }>) =>
  `${Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)} rows of ${Object.keys(tables).length} tables`

async function askTheBooks({ db }: OpenDatabase): Promise<void> {
  const { promises } = await checkInvariants(db)
  for (const { promise, heldBy, broken } of promises) {
    say(`${broken.length === 0 ? '✓' : '✗'} ${promise}${heldBy.length > 0 ? ` (${heldBy.join(', ')})` : ''}`)
    for (const row of broken.slice(0, 20)) say(`    ${JSON.stringify(row)}`)
    if (broken.length > 0) process.exitCode = 1
  }
}

/** What was given to a command. Throws on an option it does not declare, and on too few or too many words. */
function givenTo({ usage, words = 0, options = {} }: Command, args: string[]): Given {
  const wrong = (why: string) => new Error(`${why}\nUsage: npm run cli -- ${usage}`)
  try {
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true })
    if (positionals.length !== words)
      throw new Error(
        positionals.length < words ? 'Something is missing.' : `Unknown argument '${positionals[words]}'.`,
      )
    return {
      words: positionals,
      on: (option) => values[option] === true,
      text: (option) => (typeof values[option] === 'string' ? values[option] : undefined),
    }
  } catch (error) {
    throw wrong((error as Error).message.replace(/\. To specify a positional argument .*/s, '.'))
  }
}

async function showJobs({ db, pool }: OpenDatabase): Promise<void> {
  const exists = await pool.query(`SELECT to_regclass('jobs.job') AS table`)
  const ran = exists.rows[0].table
    ? await pool.query<{ name: string; runs: string; last: string; failed: string }>(
        `SELECT name, count(*) AS runs, to_char(max(completed_on) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS last, count(*) FILTER (WHERE state = 'failed') AS failed
         FROM jobs.job WHERE completed_on IS NOT NULL AND name NOT LIKE '\\_\\_%' GROUP BY name ORDER BY name`,
      )
    : { rows: [] }
  say('What ran (UTC)')
  for (const { name, runs, last, failed } of ran.rows)
    say(`  ${name.padEnd(28)} last ${last}   ${runs} runs, ${failed} failed`)
  if (ran.rows.length === 0) say('  nothing yet')
  say('\nDue in the next 30 days (UTC)')
  for (const { name, ahead } of everyJob(db)) {
    if (!ahead) continue
    const { rows } = await db.execute<{ day: string; count: string }>(
      sql`SELECT to_char(greatest(at, now()) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*) AS count FROM (${await ahead()}) due WHERE at < now() + interval '30 days' AND at > now() - interval '1 day' GROUP BY 1 ORDER BY 1`,
    )
    say(`  ${name}`)
    for (const { day, count } of rows) say(`    ${day}  ${count}`)
    if (rows.length === 0) say('    nothing')
  }
}

const warn = (text: string): void => void process.stderr.write(`${text}\n`)
const complain = (error: Error): void => {
  warn(error.message)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  const words = [2, 1].find((count) => Object.hasOwn(commands, args.slice(0, count).join(' ')))
  if (!words) {
    for (const { usage, what } of Object.values(commands)) say(`npm run cli -- ${usage}\n    ${what}`)
    process.exitCode = args.length === 0 ? 0 : 2
    return
  }
  const command = commands[args.slice(0, words).join(' ')]!
  let commanded: Given
  try {
    commanded = givenTo(command, args.slice(words))
  } catch (error) {
    complain(error as Error)
    process.exitCode = 2
    return
  }
  const given = readConfig()
  for (const warning of settingWarnings()) warn(warning)
  // Backups, keys and the like hold sessions for long: around the pooler, where there is one. Whole tables belong to their owner.
  const databaseUrl = (command.asItIs && given.databaseOwnerUrl) || given.databaseDirectUrl || given.databaseUrl
  const config = { ...given, databaseUrl, databaseDirectUrl: undefined }
  const database = await openDatabase(
    config,
    pino({ ...logOptions, level: 'warn', base: undefined }, pino.destination(2)),
    command.asItIs ? undefined : migrations,
  )
  try {
    await command.run(database, commanded, config)
  } finally {
    await database.close()
  }
}

// Whoever reads along may stop reading (`| head`); the work is done all the same.
process.stdout.on('error', () => {})
main().catch(complain)
