import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { createAdmin } from '#features/accounts/server/service/create-admin.ts'
import { resetAccess } from '#features/accounts/server/service/reset-access.ts'
import { importFile } from '#features/imports/server/import-file.ts'
import { goLive, readInstallation } from '#features/installation/server/service.ts'
import { resetTwoFactor } from '#features/two-factor/server/service/turn-off.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { writeBackup } from '#server/backup/write-backup.ts'
import { readConfig, settingWarnings } from '#server/config.ts'
import { type OpenDatabase, openDatabase } from '#server/db/open.ts'
import { seedSample } from '#server/db/seed.ts'
import { logOptions } from '#server/observability/log.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { rotateKey } from '#server/secrets/rotate-key.ts'
import { Passwords } from '#server/session/password.ts'
import { checkInvariants } from './all-invariants.ts'
import { allJobs } from './all-jobs.ts'
import { type Command, type Input, say } from './cli-command.ts'
import { paymentCommands } from './cli-payments.ts'

const migrations = join(import.meta.dirname, '../migrations')

/** The commands by name. All work while the app is running, except `restore`. */
const commands: Record<string, Command> = {
  'admin create': {
    usage: 'admin create USERNAME EMAIL',
    description: 'Creates an administrator. The password is shown once.',
    arguments: 2,
    run: async ({ db }, { args: [username = '', email = ''] }) => {
      const { password } = await createAdmin({ db, passwords: new Passwords() }, { username, email })
      say(`Administrator ${username} was created. Password, to be changed at the first login:\n${password}`)
    },
  },
  'user reset': {
    usage: 'user reset USERNAME_OR_EMAIL [--two-step]',
    description:
      'Sets a new password, shown once, ends all sessions and removes all passkeys. --two-step: also disables two-step verification, after a lost device.',
    arguments: 1,
    options: { 'two-step': { type: 'boolean' } },
    run: async ({ db }, { args: [name = ''], has }) => {
      const { id, username, password, removed } = await resetAccess({ db, passwords: new Passwords() }, name)
      if (has('two-step'))
        await resetTwoFactor(db, id, null, `cli:${process.pid}`).then(({ message }) => say(message), reportError)
      if (removed.passkeys.length > 0) say(`Removed passkeys: ${removed.passkeys.join(', ')}`)
      say(`Password of ${username}, to be changed at the next login:\n${password}`)
    },
  },
  reconcile: {
    usage: 'reconcile',
    description: 'Checks all data invariants and names the constraints that enforce them. Exits with 1 on a violation.',
    run: reportInvariants,
  },
  jobs: { usage: 'jobs', description: 'Shows the latest job runs and what is due in the next 30 days.', run: showJobs },
  backup: {
    usage: 'backup [--to FILE]',
    description: 'Writes the whole database to one file while the app is running. The secret key is not included.',
    skipMigrations: true,
    options: { to: { type: 'string' } },
    run: async ({ pool }, { text }, config) => {
      const file = resolve(
        text('to') ??
          join(config.dataDir, 'backups', `${new Date().toISOString().replaceAll(':', '').slice(0, 17)}Z.sauce.gz`),
      )
      const { tables, keys, bytes } = await writeBackup({ pool, key: secretKey(config), file })
      say(`${file}: ${rowsIn(tables)}, ${bytes} bytes, verified.`)
      if (keys.length > 0)
        say(
          `Its secrets are encrypted with the key ${keys.join(' and ')}, which is not in the file. Keep secret.key or SECRET_KEY in another safe place.`,
        )
    },
  },
  restore: {
    usage: 'restore FILE [--replace] [--without-key] [--unverified]',
    description:
      'Restores a backup in one transaction into an empty database, or with --replace into any database. Stop every app process first.',
    skipMigrations: true,
    arguments: 1,
    options: { replace: { type: 'boolean' }, 'without-key': { type: 'boolean' }, unverified: { type: 'boolean' } },
    run: async (database, { args: [file = ''], has }, config) => {
      const { takenAt, tables, migrated, authentic } = await restoreBackup({
        pool: database.pool,
        config,
        file: resolve(file),
        migrations,
        replace: has('replace'),
        withoutKey: has('without-key'),
        unverified: has('unverified'),
      })
      if (!authentic)
        warn('Warning: this file could not be authenticated. Check administrators, payment handles and panel settings.')
      say(
        `Restored as of ${takenAt}: ${rowsIn(tables)}${migrated.length > 0 ? `, then migrated with ${migrated.join(', ')}` : ''}.`,
      )
      await reportInvariants(database)
      say(
        '\nThis installation calls no panel and sends no email until you declare it live: under /admin, or with `npm run cli -- go-live`.',
      )
    },
  },
  'go-live': {
    usage: 'go-live',
    description:
      'Declares this installation live after a restore, a move or a new address. It then calls the panel and sends email.',
    run: async ({ db }, _input, config) => {
      const { held } = await readInstallation({ db, config })
      if (held === null) return say('This installation is already live.')
      await goLive({ db, config }, { actorId: null, requestId: `cli:${process.pid}` })
      say('This installation is now live. If the app is running, it calls the panel and sends email within a minute.')
    },
  },
  import: {
    usage: 'import FILE [--invoices] [--apply] [--as ADMIN]',
    description:
      'Reads a CSV file of customers and shows the outcome of each row. --invoices: the file has their earlier invoices instead. --apply: also creates them. Uses the columns that were chosen before under /admin/import, or recognizes them by their headings.',
    arguments: 1,
    options: { invoices: { type: 'boolean' }, apply: { type: 'boolean' }, as: { type: 'string' } },
    run: async ({ db }, { args: [file = ''], has, text }, config) =>
      importFile({ db, config, say }, resolve(file), {
        invoices: has('invoices'),
        apply: has('apply'),
        as: text('as'),
      }),
  },
  'rotate-key': {
    usage: 'rotate-key [--patience SECONDS] [--leave-lost]',
    description: 'Re-encrypts every stored secret with a new key while the app is running.',
    options: { patience: { type: 'string' }, 'leave-lost': { type: 'boolean' } },
    run: async ({ db }, { text, has }, config) => {
      const patience = text('patience')
      if (patience !== undefined && !/^\d{1,4}$/.test(patience))
        throw new Error('--patience must be a number of seconds')
      await rotateKey({
        db,
        config,
        say,
        ...(patience && { drainSeconds: Number(patience) }),
        leaveLost: has('leave-lost'),
      })
    },
  },
  ...paymentCommands,
  seed: {
    usage: 'seed',
    description: 'Inserts the sample catalog if the catalog is empty.',
    run: async ({ db }) =>
      say((await seedSample(db)) ? 'The sample catalog was inserted.' : 'Nothing was inserted: a catalog exists.'),
  },
}

const rowsIn = (tables: Record<string, { rows: number }>) =>
  `${Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)} rows of ${Object.keys(tables).length} tables`

async function reportInvariants({ db }: OpenDatabase): Promise<void> {
  const { results } = await checkInvariants(db)
  for (const { statement, enforcedBy, broken } of results) {
    say(`${broken.length === 0 ? '✓' : '✗'} ${statement}${enforcedBy.length > 0 ? ` (${enforcedBy.join(', ')})` : ''}`)
    for (const row of broken.slice(0, 20)) say(`    ${JSON.stringify(row)}`)
    if (broken.length > 0) process.exitCode = 1
  }
}

/** Parses the arguments of a command. Throws for undeclared options and for too few or too many arguments. */
function parseInput({ usage, arguments: count = 0, options = {} }: Command, args: string[]): Input {
  const wrong = (why: string) => new Error(`${why}\nUsage: npm run cli -- ${usage}`)
  try {
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true })
    if (positionals.length !== count)
      throw new Error(positionals.length < count ? 'Missing argument.' : `Unknown argument '${positionals[count]}'.`)
    return {
      args: positionals,
      has: (option) => values[option] === true,
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
        `SELECT data ->> 'job' AS name, count(*) AS runs, to_char(max(completed_on) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS last,
           count(*) FILTER (WHERE state = 'failed') AS failed
         FROM jobs.job WHERE completed_on IS NOT NULL AND name = 'scheduled' GROUP BY 1 ORDER BY 1`,
      )
    : { rows: [] }
  say('Latest runs (UTC)')
  for (const { name, runs, last, failed } of ran.rows)
    say(`  ${name.padEnd(28)} last ${last}   ${runs} runs, ${failed} failed`)
  if (ran.rows.length === 0) say('  nothing yet')
  say('\nDue in the next 30 days (UTC)')
  for (const { name, dueDates } of allJobs(db)) {
    if (!dueDates) continue
    const { rows } = await db.execute<{ day: string; count: string }>(
      sql`SELECT to_char(greatest(at, now()) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*) AS count FROM (${await dueDates()}) due WHERE at < now() + interval '30 days' AND at > now() - interval '1 day' GROUP BY 1 ORDER BY 1`,
    )
    say(`  ${name}`)
    for (const { day, count } of rows) say(`    ${day}  ${count}`)
    if (rows.length === 0) say('    nothing')
  }
}

const warn = (text: string): void => void process.stderr.write(`${text}\n`)
const reportError = (error: Error): void => {
  warn(error.message)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  const nameLength = [2, 1].find((count) => Object.hasOwn(commands, args.slice(0, count).join(' ')))
  if (!nameLength) {
    for (const { usage, description } of Object.values(commands)) say(`npm run cli -- ${usage}\n    ${description}`)
    process.exitCode = args.length === 0 ? 0 : 2
    return
  }
  const command = commands[args.slice(0, nameLength).join(' ')]!
  let input: Input
  try {
    input = parseInput(command, args.slice(nameLength))
  } catch (error) {
    reportError(error as Error)
    process.exitCode = 2
    return
  }
  const settings = readConfig()
  for (const warning of settingWarnings()) warn(warning)
  // Commands hold connections for a long time, so they bypass a pooler. Backup and restore need the role that owns the tables.
  const databaseUrl =
    (command.skipMigrations && settings.databaseOwnerUrl) || settings.databaseDirectUrl || settings.databaseUrl
  const config = { ...settings, databaseUrl, databaseDirectUrl: undefined }
  const database = await openDatabase(
    config,
    pino({ ...logOptions, level: 'warn', base: undefined }, pino.destination(2)),
    command.skipMigrations ? undefined : migrations,
  )
  try {
    await command.run(database, input, config)
  } finally {
    await database.close()
  }
}

// The reader of standard output may stop early (`| head`); finish the work anyway.
process.stdout.on('error', () => {})
main().catch(reportError)
