// Secrets and slow expressions in the tree, by tools with too many dependencies to live here: they are installed into a folder that is
// gone afterwards, at exact versions. What they find is mended or explained in security/triage.json. `npm run torture supply`; the npm registry must be reachable.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseAst } from 'vite'
import { files, isTest, read, root } from './checks/tree.ts'
import { notePart } from './note-part.ts'
import { type Finding, untriaged } from './scan/finding.ts'
import { scan } from './scan/scanner.ts'

const tools = ['secretlint@13.0.6', '@secretlint/secretlint-rule-preset-recommend@13.0.7', 'recheck@4.5.0']
type Check = (
  source: string,
  flags: string,
  options: { timeout: number },
) => Promise<{ status: 'safe' | 'vulnerable' | 'unknown' }>
type Linted = { filePath: string; messages: { message: string }[] }[]

const folder = mkdtempSync(join(tmpdir(), 'sauce-supply-'))
try {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  // The registry and its authority are whatever this machine is set up for.
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', ...tools]
  const installed = await scan('npm', args, { seconds: 300, home: folder, env: process.env })
  if (installed.code !== 0) throw new Error(`The tools could not be installed:\n${installed.output}`)
  const [secrets, expressions] = [untriaged(await leaked()), untriaged(await slowExpressions())].map((list) =>
    list.map(({ what, where }) => `${where} ${what}`),
  )
  const results = [secrets!, expressions!]
  for (const complaint of results.flat()) console.log(`✗ ${complaint}`)
  const failed = results.filter((each) => each.length > 0).length
  notePart({ passed: results.length - failed, failed, messages: results.flat() })
  console.log(`${results[0]!.length} secrets and ${results[1]!.length} expressions that can be made slow, unexplained`)
  process.exitCode = failed > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** What looks like somebody's secret in any file of the tree. */
async function leaked(): Promise<Finding[]> {
  const config = join(folder, '.secretlintrc.json')
  const report = join(folder, 'report.json')
  writeFileSync(config, '{"rules":[{"id":"@secretlint/secretlint-rule-preset-recommend"}]}')
  const args = [
    '--secretlintrc',
    config,
    '--format',
    'json',
    '--output',
    report,
    ...files(/\.(?!png$|jpg$|mp4$|ts$|woff2$)|\.ts$|^[^.]+$/).map((file) => join(root, file)),
  ]
  const { code, output } = await scan(
    process.execPath,
    [join(folder, 'node_modules/secretlint/bin/secretlint.js'), ...args],
    { seconds: 600, home: folder },
  )
  if (code !== 0 && code !== 1) throw new Error(`secretlint ended with ${code}:\n${output}`)
  const linted = JSON.parse(readFileSync(report, 'utf8')) as Linted
  if (linted.length < 100) throw new Error(`secretlint looked at ${linted.length} files only`)
  return linted.flatMap(({ filePath, messages }) =>
    messages.map(({ message }) => ({ tool: 'secretlint', what: message, where: filePath.slice(root.length + 1) })),
  )
}

/** Regular expressions of the product that some text keeps busy for longer than its length explains. */
async function slowExpressions(): Promise<Finding[]> {
  const { check } = (await import(pathToFileURL(join(folder, 'node_modules/recheck/lib/main.js')).href)) as {
    check: Check
  }
  const found: Finding[] = []
  let looked = 0
  for (const file of files(/^src\/.*\.tsx?$/).filter((each) => !isTest(each))) {
    const text = read(file)
    for (const { pattern, flags } of expressionsIn(text, file.endsWith('x') ? 'tsx' : 'ts')) {
      looked++
      const { status } = await check(pattern, flags, { timeout: 20_000 })
      if (status !== 'safe') found.push({ tool: 'recheck', what: `/${pattern}/${flags} is ${status}`, where: file })
    }
  }
  if (looked < 50) throw new Error(`recheck looked at ${looked} expressions only`)
  console.log(`recheck looked at ${looked} expressions`)
  return found
}

type Expression = { pattern: string; flags: string }
function expressionsIn(text: string, lang: 'ts' | 'tsx'): Expression[] {
  const found: Expression[] = []
  JSON.stringify(
    parseAst(text, { lang }),
    (_name, node: { type?: string; regex?: { pattern: string; flags: string } } | null) => {
      if (node?.type === 'Literal' && node.regex) found.push(node.regex)
      return typeof node === 'bigint' ? String(node) : node
    },
  )
  return found
}
