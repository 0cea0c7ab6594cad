import { basename, dirname } from 'node:path'
import type { Check } from './check.ts'
import { files, isTest, read } from './tree.ts'

const vagueName = /(^|-)(utils?|helpers?|misc|common|managers?|shared|stuff|dto)(-|\.|$)/
const featureFile =
  /^src\/features\/[^/]+\/(((admin-([\w-]+-)?)?contract|([\w-]+-)?rules|[\w-]+-headings)\.ts|server\/.+|web\/.+|[\w-]+\.test\.tsx?)$/

export const nameCheck: Check = {
  name: 'file names are specific and files are where they belong',
  run: () =>
    files(/^(src|scripts|test|bench|e2e)\/.*\.(tsx?|js)$/).flatMap((file) => {
      const name = basename(file)
      if (vagueName.test(name)) return [`${file}: the name is too vague; name it after what it does or contains`]
      if (/^index\.tsx?$/.test(name)) return [`${file}: no barrel files; import from the file that declares it`]
      if (file.startsWith('src/features/') && !featureFile.test(file))
        return [
          `${file}: a feature contains contract.ts (and admin-contract.ts or admin-<topic>-contract.ts), rules.ts (and <topic>-rules.ts), <noun>-headings.ts, server/, web/ and tests`,
        ]
      if (
        file.startsWith('src/') &&
        !file.startsWith('src/web/') &&
        !/\/web\//.test(file) &&
        file.endsWith('.tsx') &&
        !isTest(file)
      )
        return [`${file}: Node only strips types, so server code cannot use .tsx`]
      return []
    }),
}

const folderLimit = 30

/** Returns a violation for each folder that directly contains more than `folderLimit` of these files. Files in subfolders do not count. */
export function crowdedFolders(paths: string[]): string[] {
  const byFolder = Map.groupBy(paths, (path) => dirname(path))
  return [...byFolder]
    .filter(([, own]) => own.length > folderLimit)
    .map(
      ([folder, own]) =>
        `${folder} has ${own.length} files, the limit is ${folderLimit}: split it by topic into folders`,
    )
}

export const folderCheck: Check = {
  name: `no folder of src has more than ${folderLimit} files of its own`,
  run: () => crowdedFolders(files(/^src\//)),
}

const exportedComponent =
  /^export (?:default )?(?:async )?(?:function|const) ([A-Z][a-z]\w*)\b(?!\s*(?::[^=]+)?=\s*(?:\{|\[|'|new |createContext))/gm

export const componentCheck: Check = {
  name: 'one exported component per file, which is named after it',
  run: () =>
    files(/^src\/.*\.tsx$/)
      .filter((file) => !isTest(file))
      .flatMap((file) => {
        const names = Array.from(read(file).matchAll(exportedComponent), (m) => m[1]!)
        const expected = basename(file, '.tsx')
        if (names.length > 1) return [`${file} exports ${names.join(', ')}: move each into its own file`]
        return names[0] && kebab(names[0]) !== expected
          ? [`${file} exports ${names[0]}: name the file ${kebab(names[0])}.tsx`]
          : []
      }),
}

const kebab = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()

const documented = /^src\/(kit\/|server\/|features\/[^/]+\/server\/service(\.ts|\/))/
const exportedFunction =
  /(\*\/\n)?^export (?:async )?(?:function (\w+)|const (\w+)(?:: [^=]+)? = (?:async )?(?:<[^(]*>)?\([^;]*?\)(?:: [^=]+?)? =>)/gm

export const docCheck: Check = {
  name: 'exported functions of kit, server and services have doc comments',
  run: () =>
    files(/\.ts$/)
      .filter((file) => documented.test(file) && !isTest(file))
      .flatMap((file) => {
        const bare = Array.from(read(file).matchAll(exportedFunction)).filter((m) => m[1] === undefined)
        return bare.length > 0
          ? [
              `${file}: ${bare.map((m) => m[2] ?? m[3]).join(', ')} without a doc comment (parameters with units, result, errors)`,
            ]
          : []
      }),
}
