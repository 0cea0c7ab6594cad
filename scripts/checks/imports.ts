import { posix } from 'node:path'
import { files, isTest, lineAt, read } from './tree.ts'

export type Import = {
  from: string
  line: number
  specifier: string
  /** The path of the imported file, if the file belongs to the project. */
  to: string | undefined
  typeOnly: boolean
}

// Biome formats import statements uniformly, so regular expressions can parse them.
const statement = /^(?:import|export)\b([^'"]*?)\bfrom\s*'([^']+)'/gm
const bare = /^import\s*'([^']+)'/gm
const called = /\bimport\(\s*'([^']+)'\s*\)(\.\w+)?/g

/** Returns all imports in the sources, without those in tests. */
export function sourceImports(): Import[] {
  return files(/^src\/.*\.tsx?$/)
    .filter((file) => !isTest(file))
    .flatMap((file) => importsOf(file, read(file)))
}

/** Returns the imports in the text of a module: statements, re-exports and `import()` calls. A member access on `import()` counts as a type import. */
export function importsOf(from: string, text: string): Import[] {
  const found = (specifier: string, index: number, typeOnly: boolean): Import => ({
    from,
    line: lineAt(text, index),
    specifier,
    to: resolve(from, specifier),
    typeOnly,
  })
  return [
    ...Array.from(text.matchAll(statement), (m) => found(m[2]!, m.index, /^\s*type\b/.test(m[1]!))),
    ...Array.from(text.matchAll(bare), (m) => found(m[1]!, m.index, false)),
    ...Array.from(text.matchAll(called), (m) => found(m[1]!, m.index, m[2] !== undefined && m[2] !== '.then')),
  ]
}

function resolve(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  return undefined
}
