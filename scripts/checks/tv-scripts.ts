import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst, transformWithOxc } from 'vite'
import { tvTarget } from '../vite/tv-target.ts'
import { buildWhenStale } from './bundle.ts'
import type { Check } from './check.ts'
import { root } from './tree.ts'

/** Functions that Chromium 79 lacks. Vite replaces newer syntax but does not add functions. */
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
/** CSS that Chromium 79 ignores, often with the whole rule. It also lacks `gap` in flexboxes, which these expressions cannot recognize. */
const newerStyles = [
  /@(layer|container|property)\b/,
  /:(is|where|has|focus-visible)\b/,
  /[{;](inset|aspect-ratio|(padding|margin|border)-(block|inline)):/,
  /\b(oklch|oklab|lab|color-mix|light-dark)\(/,
]
/** Calls of newer functions that have a fallback for browsers without the function. */
const guarded = [
  // The first is in hls.js, which otherwise creates the id itself, the second in language-name.ts.
  /try\{return crypto\.randomUUID\(\)\}catch/g,
  /try\{let \w=\w===``\?void 0:new Intl\.DisplayNames\(/g,
]

export const tvCheck: Check = {
  name: 'the scripts and the style sheet of /tv work in TV browsers from 2021 (Chromium 79)',
  run: async () => {
    const failure = buildWhenStale()
    if (failure) return [failure]
    const client = join(root, 'dist/client')
    const manifest = JSON.parse(readFileSync(join(client, '.vite/tv-manifest.json'), 'utf8')) as Manifest
    const files = Object.values(manifest).filter(({ file }) => file.endsWith('.js'))
    if (!files.some(({ isEntry }) => isEntry)) return ['the build manifest of the TV page has no entry chunk']
    const sheets = Object.values(manifest).filter(({ file }) => file.endsWith('.css'))
    const found = await Promise.all(
      [...files, ...sheets].map(async ({ file, name }) =>
        (await newerThanTv(readFileSync(join(client, file), 'utf8'), file.endsWith('.css'))).map(
          (what) =>
            `${name ?? file} has ${what}: avoid it in what /tv loads, or add a fallback for browsers without it`,
        ),
      ),
    )
    return found.flat()
  },
}
type Manifest = Record<string, { file: string; name?: string; isEntry?: boolean }>

/** Returns what a script or a style sheet contains that TV browsers do not support. */
export async function newerThanTv(code: string, isSheet = false): Promise<string[]> {
  if (isSheet) {
    const rules = code.replace(/@supports[^{]*/g, '')
    return newerStyles.flatMap((style) => style.exec(rules)?.[0] ?? [])
  }
  const [same, lowered] = await Promise.all(
    ['esnext', tvTarget].map(
      async (target) => (await transformWithOxc(code, 'script.js', { target, sourceType: 'module' })).code,
    ),
  )
  const own = guarded.reduce((text, call) => text.replace(call, ''), code)
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
