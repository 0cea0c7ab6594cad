// Searches the tree for secrets and slow regular expressions. The tools have many dependencies, so they are installed at exact versions into a
// temporary folder. Fix findings or explain them in security/triage.json. Run: npm run torture supply (needs the npm registry).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseAst } from 'vite'
import { files, isTest, read, root } from './checks/tree.ts'
import { reportResult } from './report-result.ts'
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
  // Uses the npm configuration of this machine.
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', ...tools]
  const installed = await scan('npm', args, { seconds: 300, home: folder, env: process.env })
  if (installed.code !== 0) throw new Error(`The tools could not be installed:\n${installed.output}`)
  const [secrets, expressions] = [untriaged(await findSecrets()), untriaged(await findSlowExpressions())].map((list) =>
    list.map(({ what, where }) => `${where} ${what}`),
  )
  const results = [secrets!, expressions!]
  for (const finding of results.flat()) console.log(`✗ ${finding}`)
  const failed = results.filter((each) => each.length > 0).length
  reportResult({ passed: results.length - failed, failed, messages: results.flat() })
  console.log(`${results[0]!.length} secrets and ${results[1]!.length} slow regular expressions, unexplained`)
  process.exitCode = failed > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Texts in the tree that look like secrets. */
async function findSecrets(): Promise<Finding[]> {
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
  if (linted.length < 100) throw new Error(`secretlint checked only ${linted.length} files`)
  return linted.flatMap(({ filePath, messages }) =>
    messages.map(({ message }) => ({ tool: 'secretlint', what: message, where: filePath.slice(root.length + 1) })),
  )
}

/** Regular expressions of the product with super-linear run time. */
async function findSlowExpressions(): Promise<Finding[]> {
  const { check } = (await import(pathToFileURL(join(folder, 'node_modules/recheck/lib/main.js')).href)) as {
    check: Check
  }
  const found: Finding[] = []
  let checked = 0
  for (const file of files(/^src\/.*\.tsx?$/).filter((each) => !isTest(each))) {
    const text = read(file)
    for (const { pattern, flags } of expressionsIn(text, file.endsWith('x') ? 'tsx' : 'ts')) {
      checked++
      const { status } = await check(pattern, flags, { timeout: 20_000 })
      if (status !== 'safe') found.push({ tool: 'recheck', what: `/${pattern}/${flags} is ${status}`, where: file })
    }
  }
  if (checked < 50) throw new Error(`recheck checked only ${checked} expressions`)
  console.log(`recheck checked ${checked} expressions`)
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
