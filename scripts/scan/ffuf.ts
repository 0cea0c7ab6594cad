import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { files } from '../checks/tree.ts'
import type { Finding } from './finding.ts'
import type { Product } from './product.ts'
import { scan } from './scanner.ts'

const names =
  '.git .env .htaccess .DS_Store .svn .npmrc .ssh admin administrator api app assets auth backup backups bin build cache cgi-bin config console data database db debug dist docker-compose Dockerfile docs dump env error files graphql health healthz index info install key lib log logs main manifest metrics migrations node_modules old openapi package package-lock phpinfo private public readme README readyz robots root sauce sauce-backup scripts secret secret-key secrets server server-status session sessions settings setup site sitemap sql src static status storage swagger temp test tmp trace upload uploads user users vendor version web wp-admin wp-login ws'.split(
    ' ',
  )
const endings = '|/|~|.bak|.old|.swp|.map|.json|.sql|.sql.gz|.tar.gz|.zip|.dump|.log|.key|/HEAD'.split('|')
const before = ['', 'api/', 'admin/']
const tricks = [
  '..%2f',
  '%2e%2e/',
  '..%5c',
  '%2e%2e%2f%2e%2e%2f',
  './',
  '%00',
  'assets/..%2f..%2f',
  'assets/%2e%2e/%2e%2e/',
  '@fs/',
]
const wanted =
  'package.json package-lock.json src/main.ts migrations/0042-baseline/03-users.sql .git/HEAD .env data/secret-key data/postgres/PG_VERSION dist/server/entry-server.js etc/passwd'.split(
    ' ',
  )

/** Commonly exposed names, every file of this tree, and the most sensitive files by path traversal. */
function candidatePaths(): string[] {
  return [
    ...new Set([
      ...before.flatMap((folder) => names.flatMap((name) => endings.map((ending) => `${folder}${name}${ending}`))),
      ...files(/./).map((file) => encodeURI(file)),
      ...['', ...tricks].flatMap((trick) => wanted.map((file) => `${trick}${file}`)),
    ]),
  ]
}

/** Requests all candidate paths and reports those that are not refused. */
export async function openPaths(
  { url, admin }: Product,
  folder: string,
): Promise<{ findings: Finding[]; tried: number }> {
  const home = join(folder, 'ffuf')
  mkdirSync(home, { recursive: true })
  const list = candidatePaths()
  writeFileSync(join(home, 'words'), `${list.join('\n')}\n`)
  const findings: Finding[] = []
  for (const [who, cookie] of Object.entries({ anonymous: '', admin })) {
    const file = join(home, `${who}.json`)
    const session = cookie ? ['-H', `Cookie: ${cookie}`] : []
    const args = [
      '-w',
      join(home, 'words'),
      '-u',
      `${url}/FUZZ`,
      '-mc',
      '200-399,500-599',
      '-t',
      '8',
      '-s',
      '-of',
      'json',
      '-o',
      file,
      ...session,
    ]
    const { overdue, code } = await scan('ffuf', args, { seconds: 600, home })
    if (overdue || code !== 0) findings.push({ tool: 'ffuf', what: 'did not end', where: `as ${who}` })
    else {
      const { results } = JSON.parse(readFileSync(file, 'utf8')) as {
        results: { input: { FUZZ: string }; status: number }[]
      }
      findings.push(
        ...results.map(({ input, status }) => ({
          tool: 'ffuf',
          what: String(status),
          where: `/${input.FUZZ} as ${who}`,
        })),
      )
    }
  }
  return { findings, tried: 2 * list.length }
}
