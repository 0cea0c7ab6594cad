import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst, transformWithOxc } from 'vite'
import { tvTarget } from '../vite/tv-target.ts'
import { buildWhenStale } from './bundle.ts'
import type { Check } from './check.ts'
import { root } from './tree.ts'

/** What Chromium 79 lacks, beside syntax. Vite lowers the syntax and adds no functions. */
const newerFunctions = [
  /(?<!\.)\.(at|replaceAll|replaceChildren|findLast|findLastIndex|toSorted|toReversed|toSpliced|toWellFormed|checkVisibility)\(/,
  /\bObject\.(hasOwn|groupBy)\b/,
  /\bArray\.fromAsync\b/,
  /\bPromise\.(any|try|withResolvers)\b/,
  /\bAbortSignal\.(any|timeout)\b/,
  /\bIntl\.(DisplayNames|ListFormat|Segmenter|DurationFormat)\b/,
  /\bnew (WeakRef|FinalizationRegistry)\b/,
  /\bstructuredClone\(/,
  /\brandomUUID\(/,
]
/** Calls that are followed by another way if the browser lacks the function. */
const guarded = [
  // hls.js, which makes an id in another way, and language-name.ts.
  /try\{return crypto\.randomUUID\(\)\}catch/g,
  /try\{let \w=\w===``\?void 0:new Intl\.DisplayNames\(/g,
]

export const tvCheck: Check = {
  name: 'the scripts of /tv run in browsers of television sets from 2021 (Chromium 79)',
  run: async () => {
    const failure = buildWhenStale()
    if (failure) return [failure]
    const client = join(root, 'dist/client')
    const manifest = JSON.parse(readFileSync(join(client, '.vite/tv-manifest.json'), 'utf8')) as Manifest
    const files = Object.values(manifest).filter(({ file }) => file.endsWith('.js'))
    if (!files.some(({ isEntry }) => isEntry))
      return ['there is no entry in the manifest of the page of television sets']
    const found = await Promise.all(
      files.map(async ({ file, name }) =>
        (await newerThanTv(readFileSync(join(client, file), 'utf8'))).map(
          (what) =>
            `${name ?? file} has ${what}: avoid it in what /tv loads, or add another way for browsers without it`,
        ),
      ),
    )
    return found.flat()
  },
}
type Manifest = Record<string, { file: string; name?: string; isEntry?: boolean }>

/** What a script contains that the browsers of television sets do not support. */
export async function newerThanTv(code: string): Promise<string[]> {
  const [same, lowered] = await Promise.all(
    ['esnext', tvTarget].map(
      async (target) => (await transformWithOxc(code, 'script.js', { target, sourceType: 'module' })).code,
    ),
  )
  const own = guarded.reduce((text, way) => text.replace(way, ''), code)
  return [
    ...(same === lowered ? [] : [`syntax that is newer than ${tvTarget}`]),
    ...(hasTopLevelAwait(parseAst(code, { sourceType: 'module' })) ? ['await outside of functions'] : []),
    ...newerFunctions.flatMap((call) => call.exec(own)?.[0] ?? []),
  ]
}

function hasTopLevelAwait(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(hasTopLevelAwait)
  if (typeof node !== 'object' || node === null) return false
  const { type = '' } = node as { type?: string }
  if (type === 'AwaitExpression' || (type === 'ForOfStatement' && (node as { await?: boolean }).await)) return true
  return !/Function/.test(type) && Object.values(node).some(hasTopLevelAwait)
}
