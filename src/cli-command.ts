import type { ParseArgsConfig } from 'node:util'
import type { Config } from '#server/config.ts'
import type { OpenDatabase } from '#server/db/open.ts'

/** A command of the command-line interface. */
export type Command = {
  usage: string
  description: string
  /** The number of positional arguments. */
  arguments?: number
  options?: NonNullable<ParseArgsConfig['options']>
  run: (database: OpenDatabase, input: Input, config: Config) => Promise<void>
  /** Whether to open the database without applying migrations, even if its schema is from another release. */
  skipMigrations?: true
}
/** The parsed arguments and options of a command. */
export type Input = { args: string[]; has: (option: string) => boolean; text: (option: string) => string | undefined }

/** Prints a line on standard output. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`)
