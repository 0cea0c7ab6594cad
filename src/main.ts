import '#server/known-modules.ts'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { type Logger, pino } from 'pino'
import { type Config, readConfig, settingWarnings } from '#server/config.ts'
import { logDestination } from '#server/observability/journald.ts'
import { logOptions } from '#server/observability/log.ts'
import { describeStartError } from '#server/start-errors.ts'

// By default V8 lets the heap grow to several times its live size before it collects garbage: to half a gigabyte under sustained load.
setFlagsFromString('--heap-growing-percent=50')

/**
 * Serves in this process, or with PROCESSES above 1 starts that many workers and supervises them. The primary and the workers each load only the
 * modules that they need.
 */
async function main(config: Config): Promise<void> {
  // The number of this worker, set by the primary process.
  const number =
    Number(process.argv.find((argument) => argument.startsWith('--process='))?.slice('--process='.length)) || undefined
  const log = pino(
    { ...logOptions, level: config.logLevel, base: number === undefined ? undefined : { process: number } },
    logDestination(config.journalStream),
  )
  if (number === undefined) for (const warning of settingWarnings()) log.warn(warning)
  const dev = process.argv.includes('--dev')
  if (config.processes > 1 && number === undefined && !dev) {
    const { runPrimary } = await import('#server/cluster/primary.ts')
    await runPrimary(import.meta.filename, config, log)
  } else {
    await serve(config, log, { dev, number })
  }
}

type StartOptions = { dev: boolean; number: number | undefined }
/** Starts serving. The database starts while the other modules load; if anything fails, the database is closed again. */
async function serve(config: Config, log: Logger, options: StartOptions): Promise<void> {
  const { openDatabase } = await import('#server/db/open.ts')
  const opening = openDatabase(config, log, join(import.meta.dirname, '../migrations'))
  // Prevents an unhandled rejection: `opening` may fail before it is awaited below.
  opening.catch(() => {})
  try {
    const { startServing } = await import('./serve.ts')
    await startServing(config, log, opening, options)
  } catch (error) {
    const database = await opening.catch(() => undefined)
    await database?.close()
    throw error
  }
}

let config: Config | undefined
try {
  config = readConfig()
  await main(config)
} catch (error) {
  const { message } = error as Error
  process.stderr.write(`${config ? describeStartError(error as Error, config) : message}\n`)
  process.exit(1)
}
