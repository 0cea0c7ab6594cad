import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const { packages, parts } = JSON.parse(readFileSync(join(root, 'security/native-parts.json'), 'utf8')) as {
  packages: string[]
  parts: { name: string; version: string; file: string; says: string }[]
}
const installed = packages
  .map((name) => join(root, 'node_modules', name, 'native'))
  .filter((folder) => existsSync(folder))

test('every library in the embedded PostgreSQL is listed with the version in its file', () => {
  expect(installed.length).toBeGreaterThan(0)
  for (const folder of installed) {
    for (const { file, says } of parts)
      expect(readFileSync(join(folder, file)).includes(says), `${file} says ${says}`).toBe(true)
    const own = /^lib(ecpg|ecpg_compat|pgtypes|pq)\./
    const known = /^lib(crypto|ssl|icu(data|i18n|uc)|xml2|xslt|z|lzma|ossp-uuid)\./
    const foreign = readdirSync(join(folder, 'lib')).filter((file) => /\.so/.test(file) && !own.test(file))
    expect(foreign.filter((file) => !known.test(file))).toEqual([])
  }
})

test('the bill of materials contains the libraries in the embedded PostgreSQL', () => {
  const bill = JSON.parse(
    execFileSync(process.execPath, ['scripts/licenses.ts', '--sbom'], { cwd: root, encoding: 'utf8' }),
  ) as {
    components: { 'bom-ref': string; components?: { name: string; version: string }[] }[]
  }
  const inside = bill.components.filter((each) => each.components)
  expect(inside).toHaveLength(packages.length)
  for (const { components } of inside)
    expect(components!.map(({ name, version }) => `${name} ${version}`)).toEqual(
      expect.arrayContaining(['openssl 1.1.1', 'icu 60.2', 'postgresql 18.4']),
    )
})
