import { basename } from 'node:path'
import type { Check } from './check.ts'
import { files, isTest, read } from './tree.ts'

const linesOf = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

export const sizeCheck: Check = {
  name: 'files stay small: 300 lines; tests and styles 500',
  run: () =>
    files(/^(src|scripts|test|bench|e2e)\/.*\.(tsx?|js|css)$/).flatMap((file) => {
      const lines = linesOf(read(file))
      const most = isTest(file) || file.endsWith('.css') ? 500 : 300
      return lines > most
        ? [
            `${file} has ${lines} lines, at most ${most}: split it by verb (service/confirm-payment.ts), never by technical layer`,
          ]
        : []
    }),
}

const vague = /(^|-)(utils?|helpers?|misc|common|managers?|shared|stuff|dto)(-|\.|$)/
const inRoom = /^src\/features\/[^/]+\/(((admin-)?contract|rules)\.ts|server\/.+|web\/.+|[\w-]+\.test\.tsx?)$/

export const nameCheck: Check = {
  name: 'names say what a file is for',
  run: () =>
    files(/^(src|scripts|test|bench|e2e)\/.*\.(tsx?|js)$/).flatMap((file) => {
      const name = basename(file)
      if (vague.test(name)) return [`${file}: the name says nothing; name it after what it does or holds`]
      if (/^index\.tsx?$/.test(name)) return [`${file}: no barrels; import from the file that has it`]
      if (file.startsWith('src/features/') && !inRoom.test(file))
        return [
          `${file}: a room holds contract.ts (and admin-contract.ts), rules.ts, server/, web/ and tests beside them`,
        ]
      if (
        file.startsWith('src/') &&
        !file.startsWith('src/web/') &&
        !/\/web\//.test(file) &&
        file.endsWith('.tsx') &&
        !isTest(file)
      )
        return [`${file}: Node strips types only, the server has no .tsx`]
      return []
    }),
}

const exportedComponent =
  /^export (?:default )?(?:async )?(?:function|const) ([A-Z][a-z]\w*)\b(?!\s*(?::[^=]+)?=\s*(?:\{|\[|'|new |createContext))/gm

export const componentCheck: Check = {
  name: 'one exported component a file, named after it',
  run: () =>
    files(/^src\/.*\.tsx$/)
      .filter((file) => !isTest(file))
      .flatMap((file) => {
        const names = Array.from(read(file).matchAll(exportedComponent), (m) => m[1]!)
        const expected = basename(file, '.tsx')
        if (names.length > 1) return [`${file} exports ${names.join(', ')}: give each its own file`]
        return names[0] && kebab(names[0]) !== expected
          ? [`${file} exports ${names[0]}: call the file ${kebab(names[0])}.tsx`]
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
  name: 'exported functions of kit, server and services say what they promise',
  run: () =>
    files(/\.ts$/)
      .filter((file) => documented.test(file) && !isTest(file))
      .flatMap((file) => {
        const bare = Array.from(read(file).matchAll(exportedFunction)).filter((m) => m[1] === undefined)
        return bare.length > 0
          ? [
              `${file}: ${bare.map((m) => m[2] ?? m[3]).join(', ')} without a doc comment (units, what it throws, section of the specification)`,
            ]
          : []
      }),
}
