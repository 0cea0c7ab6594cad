import type { Check } from './check.ts'
import { files, isTest, lineAt, read } from './tree.ts'

type ForbiddenText = { find: RegExp; where: RegExp; except?: RegExp; hint: string }

const shown = /^src\/.*\.tsx$/
const forbiddenTexts: ForbiddenText[] = [
  {
    find: /\bprocess\.env\b/,
    where: /^src\//,
    except: /^src\/server\/config\.ts$/,
    hint: 'only server/config.ts reads the environment; use the config that is passed in',
  },
  {
    find: /\.(innerHTML|outerHTML)\b|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML/,
    where: /^src\//,
    hint: 'no HTML from strings; build elements',
  },
  { find: /\bnew Function\(|\beval\(/, where: /^src\//, hint: 'no code from strings' },
  {
    find: /\sstyle=\{/,
    where: shown,
    except: /^src\/web\/mail\//,
    hint: 'the Content-Security-Policy blocks inline styles; use a class, or presentation attributes in SVG',
  },
  {
    find: /\blocation\.(assign|replace)\(|\blocation(\.href)? = /,
    where: /^src\/(web|features)\//,
    hint: 'navigate with the router; pass untrusted targets through safePath()',
  },
  {
    find: /\bsql\.raw\(/,
    where: /^src\//,
    except: /^src\/server\/db\//,
    hint: 'no SQL from strings; use the query builder or sql`` with parameters',
  },
  {
    find: /not implemented|coming soon!|lorem ipsum|\b(TODO|FIXME|XXX)\b/i,
    where: /^(src|test|e2e|bench|scripts)\//,
    except: /^scripts\/checks\/forbidden-text\.ts$/,
    hint: 'finish it or remove it',
  },
  {
    find: /\b(test|it|describe)\.(skip|only|todo|fixme)\b/,
    where: /^(src|test|e2e)\//,
    hint: 'run the test or remove it',
  },
  {
    find: /access: 'admin'|\bcsvOf\(/,
    where: /^src\/features\/[^/]+\/contract\.ts$/,
    hint: 'declare admin endpoints in admin-contract.ts, which only administrators load',
  },
  {
    find: /@ts-(ignore|nocheck)/,
    where: /^(src|test|e2e|bench|scripts)\/.*\.tsx?$/,
    except: /^scripts\/checks\/forbidden-text\.ts$/,
    hint: 'fix the type; use @ts-expect-error with a reason if a library is wrong',
  },
]

export const forbiddenTextCheck: Check = {
  name: 'no forbidden code or text',
  run: () =>
    files(/\.(tsx?|js)$/).flatMap((file) => {
      const text = read(file)
      return forbiddenTexts
        .filter(
          (rule) =>
            rule.where.test(file) &&
            !rule.except?.test(file) &&
            !(isTest(file) && rule.hint.startsWith('only server/config.ts')),
        )
        .flatMap((rule) =>
          Array.from(
            text.matchAll(new RegExp(rule.find, `${rule.find.flags}g`)),
            (m) => `${file}:${lineAt(text, m.index)} ${m[0].trim()}: ${rule.hint}`,
          ),
        )
    }),
}
