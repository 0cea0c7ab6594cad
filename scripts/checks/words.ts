import type { Check } from './check.ts'
import { files, isTest, lineAt, read } from './tree.ts'

type Word = { find: RegExp; where: RegExp; except?: RegExp; teach: string }

const shown = /^src\/.*\.tsx$/
const words: Word[] = [
  {
    find: /\bprocess\.env\b/,
    where: /^src\//,
    except: /^src\/server\/config\.ts$/,
    teach: 'only server/config.ts reads the environment; take the value from the config that is handed in',
  },
  {
    find: /\.(innerHTML|outerHTML)\b|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML/,
    where: /^src\//,
    teach: 'text stays text; build elements',
  },
  { find: /\bnew Function\(|\beval\(/, where: /^src\//, teach: 'no code from text' },
  {
    find: /\sstyle=\{/,
    where: shown,
    except: /-mail\.tsx$/,
    teach: 'the policy refuses inline styles; use a class, or presentation attributes in SVG',
  },
  {
    find: /\blocation\.(assign|replace)\(|\blocation(\.href)? = /,
    where: /^src\/(web|features)\//,
    teach: 'navigate with the router; an address from outside goes through safePath()',
  },
  {
    find: /\bsql\.raw\(/,
    where: /^src\//,
    except: /^src\/server\/db\//,
    teach: 'no SQL from text; use the query builder or sql`` with parameters',
  },
  {
    find: /not implemented|coming soon!|lorem ipsum|\b(TODO|FIXME|XXX)\b/i,
    where: /^(src|test|e2e|bench|scripts)\//,
    except: /^scripts\/checks\/words\.ts$/,
    teach: 'finish it, or leave it out',
  },
  {
    find: /\b(test|it|describe)\.(skip|only|todo|fixme)\b/,
    where: /^(src|test|e2e)\//,
    teach: 'a test runs or is removed',
  },
  {
    find: /access: 'admin'|\bcsvOf\(/,
    where: /^src\/features\/[^/]+\/contract\.ts$/,
    except: /^src\/features\/(accounts|catalog|customers|impersonation|mails|two-factor|visitors)\//,
    teach: 'declare admin endpoints in admin-contract.ts, which only administrators load',
  },
  {
    find: /@ts-(ignore|nocheck)/,
    where: /^(src|test|e2e|bench|scripts)\/.*\.tsx?$/,
    except: /^scripts\/checks\/words\.ts$/,
    teach: 'mend the type; @ts-expect-error with a reason where a library is wrong',
  },
]

export const wordCheck: Check = {
  name: 'nothing forbidden is written down',
  run: () =>
    files(/\.(tsx?|js)$/).flatMap((file) => {
      const text = read(file)
      return words
        .filter(
          (word) =>
            word.where.test(file) &&
            !word.except?.test(file) &&
            !(isTest(file) && word.teach.startsWith('only server/config.ts')),
        )
        .flatMap((word) =>
          Array.from(
            text.matchAll(new RegExp(word.find, `${word.find.flags}g`)),
            (m) => `${file}:${lineAt(text, m.index)} ${m[0].trim()}: ${word.teach}`,
          ),
        )
    }),
}
