import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../harness/folders.ts'
import { ignores, imageFiles, readText } from '../harness/image-files.ts'

const root = join(import.meta.dirname, '../..')
const dockerfile = readText(root, 'deploy/Dockerfile')
const ignoreFiles = ['deploy/Dockerfile.dockerignore', '.dockerignore']
/** Files with secrets that an operator may have in the project folder, as the handbook advises or by mistake. */
const secrets = [
  '.env',
  'deploy/.env',
  'deploy/.env.bak',
  'deploy/.env.production',
  'deploy/sauce.env.local/.env',
  'data/secret.key',
  'data/retired-2026.key',
  'data/backups/2026-11-23.sauce.gz',
  'moved.sauce.gz',
  'secret.key',
  'deploy/tls/privkey.pem',
  'data/postgres/PG_VERSION',
]

test.each(ignoreFiles)(
  'an image built with %s contains the product and none of the secrets in the project folder',
  (file) => {
    const folder = temporaryFolder()
    const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    })
      .split('\n')
      .filter((path) => path !== '')
    for (const path of [...tracked, ...secrets]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), '')
    }
    const files = imageFiles(folder, dockerfile, readText(root, file))
    expect(files.filter((path) => secrets.includes(path))).toEqual([])
    expect(files).toEqual(
      expect.arrayContaining([
        'src/main.ts',
        'src/cli.ts',
        'package-lock.json',
        '.npmrc',
        'migrations/0042-baseline/03-users.sql',
        'migrations/history/0001-the-house.sql',
        'scripts/run.js',
      ]),
    )
    expect(tracked.filter((path) => !files.includes(path) && !path.startsWith('deploy/'))).toEqual([])
  },
)

test('git ignores these files too', () => {
  const output = spawnSync('git', ['check-ignore', '--no-index', ...secrets], { cwd: root, encoding: 'utf8' }).stdout
  expect(output.trim().split('\n').toSorted()).toEqual(secrets.toSorted())
})

test('exceptions and folders in ignore files are matched as container engines match them', () => {
  const file = '# a comment\n**/*.key\n!public.key\nsrc/deep\n'
  expect(
    ['a.key', 'b/c/a.key', 'public.key', 'src/deep/er/file.ts', 'src/deeper.ts', 'other/src/deep'].map((path) =>
      ignores(file, path),
    ),
  ).toEqual([true, true, false, true, false, false])
})
