import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

let listed: string[] | undefined

/** Project files matching a pattern, relative to the root: tracked by git, or new and not ignored. */
export function files(pattern: RegExp): string[] {
  listed ??= listFiles()
  return listed.filter((file) => pattern.test(file))
}

export const read = (file: string): string => readFileSync(join(root, file), 'utf8')

export const isTest = (file: string): boolean => /\.(test|spec)\.tsx?$/.test(file)

function listFiles(): string[] {
  const git = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
  })
  const deleted = spawnSync('git', ['ls-files', '--deleted'], { cwd: root, encoding: 'utf8' })
  if (git.status !== 0) throw new Error('The checks read the list of files from git: run them in a checkout')
  const gone = new Set(deleted.stdout.split('\n'))
  return git.stdout.split('\n').filter((file) => file !== '' && !gone.has(file))
}

/** The 1-based line number of an index in `text`. */
export const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length
